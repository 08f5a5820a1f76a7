"""Compile the module of this folder with OpenMP threads: quickly (-O1), as no time is measured."""

from Cython.Build import cythonize
from setuptools import Extension, setup

extension = Extension(
    "*", ["*.pyx"], extra_compile_args=["-O1", "-fopenmp"], extra_link_args=["-fopenmp"]
)
setup(name="exercise", ext_modules=cythonize([extension]))
