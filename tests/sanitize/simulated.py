"""Every kernel in oclgrind, which interprets it, and looks at its accesses and for races."""

import sys
from importlib.util import find_spec

from checkouts import ROOT
from sanitize.tools import Unavailable, need, run

ENVIRONMENT = {"POLYMASK_OFFLOAD_DEVICES": "opencl", "PYOPENCL_CTX": "", "PYOPENCL_NO_CACHE": "1"}
# Unoptimised: LLVM's shorter ways are unknown to oclgrind, and some hide an access.
OPTIONS = ["--max-errors", "5", "--build-options", "-cl-opt-disable"]
# PyOpenCL wrote this kernel, around our expression: in 2026.1.4 an item of `scan_lev1` reads global
# memory that another wrote, with no fence of global memory between the two.
RACES = {"5_opencl/exercises/scan/scan.py"}


def watch(root=ROOT, python=sys.executable):
    """Run all kernels."""
    need("oclgrind", "oclgrind")
    if not find_spec("pyopencl"):
        raise Unavailable("needs pyopencl: pip install 'polymask[opencl]'")
    files = run([python, "-m", "sanitize.kernels", "--list"], root / "tests").split()
    run_some({*files} - RACES, ["--data-races"], root, python)
    run_some(RACES, [], root, python)
    return f"{len(files)} files of kernels, at 32 x 32"


def run_some(files, options, root, python):
    """Run the kernels of some files.

    A program that makes a bad access goes on in oclgrind, and may end well: what it says counts.
    It is not sent to oclgrind's log, which each new context empties.
    """
    command = ["oclgrind", *OPTIONS, *options, python, "-m", "sanitize.kernels", *sorted(files)]
    run(command, root / "tests", ENVIRONMENT, silent=True)
