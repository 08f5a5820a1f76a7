"""How tuples.py becomes an extension module: python setup.py build_ext --inplace."""

from Cython.Build import cythonize
from setuptools import Extension, setup

# The name under which it is imported, and the sources that it is made from.
extension = Extension("tuples", ["tuples.py"], extra_compile_args=["-O3", "-ffp-contract=off"])
setup(name="tuples", ext_modules=cythonize([extension]))
