"""How points.pyx and a C file become one extension module."""

from importlib.resources import files

from Cython.Build import cythonize
from setuptools import Extension, setup

CSRC = str(files("polymask.csrc"))  # the rule, inside_polygon.h, is there

extension = Extension(
    "points",
    ["points.pyx", "points_inside_polygon.c"],
    include_dirs=[".", CSRC],
    extra_compile_args=["-O3", "-ffp-contract=off"],
)
setup(name="points", ext_modules=cythonize([extension]))
