"""Compile points.pyx and a C file into one extension module."""

from importlib.resources import files

from Cython.Build import cythonize
from setuptools import Extension, setup

CSRC = str(files("polymask.csrc"))  # the folder of the rule, inside_polygon.h

extension = Extension(
    "points",
    ["points.pyx", "points_inside_polygon.c"],
    include_dirs=[".", CSRC],
    extra_compile_args=["-O3", "-ffp-contract=off"],
)
setup(name="points", ext_modules=cythonize([extension]))
