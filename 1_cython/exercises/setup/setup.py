"""Compile tuples.py into an extension module: python setup.py build_ext --inplace."""

from Cython.Build import cythonize
from setuptools import Extension, setup

# The name of the module, and its source files.
extension = Extension("tuples", ["tuples.py"], extra_compile_args=["-O3", "-ffp-contract=off"])
setup(name="tuples", ext_modules=cythonize([extension]))
