"""Runs a program with the stand-in in CuPy's place: python -m cupy_on_pocl PROGRAM ARGUMENTS."""

import runpy
import sys

from cupy_on_pocl import installed

if __name__ == "__main__":
    del sys.argv[0]
    with installed():
        runpy.run_path(sys.argv[0], run_name="__main__")
