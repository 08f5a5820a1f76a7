"""Compile prange.pyx into an extension module with OpenMP threads."""

from importlib.resources import files

from Cython.Build import cythonize
from setuptools import Extension, setup

CSRC = str(files("polymask.csrc"))  # inside_polygon.h and its declaration

extension = Extension(
    "prange",
    ["prange.pyx"],
    include_dirs=[CSRC],
    extra_compile_args=["-O3", "-ffp-contract=off", "-fopenmp"],
    extra_link_args=["-fopenmp"],
)
setup(name="prange", ext_modules=cythonize([extension], include_path=[CSRC]))
