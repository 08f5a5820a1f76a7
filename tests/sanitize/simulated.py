"""Every kernel in oclgrind, an interpreter that checks accesses and detects races."""

import sys
from importlib.util import find_spec

from checkouts import ROOT
from sanitize.tools import Unavailable, need, run

ENVIRONMENT = {
    "POLYMASK_OFFLOAD_DEVICES": "opencl",
    "PYOPENCL_CTX": "",
    "PYOPENCL_NO_CACHE": "1",
    "PYTHONPATH": "support",  # of the folder tests
}
# Without optimisation: oclgrind cannot run all optimised code, and some of it hides an access.
OPTIONS = ["--max-errors", "5", "--build-options", "-cl-opt-disable"]
# PyOpenCL generates this kernel around our expression: in 2026.1.4 an item of `scan_lev1` reads
# global memory written by another item, without a global memory fence in between.
RACES = {"5_opencl/exercises/scan/scan.py"}


def watch(root=ROOT, python=sys.executable):
    """Run all kernels."""
    need("oclgrind", "oclgrind")
    if not find_spec("pyopencl"):
        raise Unavailable("needs pyopencl: pip install 'polymask[opencl]'")
    kernels = [python, "-m", "sanitize.kernels"]
    files = run([*kernels, "--list"], root / "tests", ENVIRONMENT).split()
    run_some({*files} - RACES, ["--data-races"], root, python)
    run_some(RACES, [], root, python)
    return f"{len(files)} kernel files, run at 32 x 32"


def run_some(files, options, root, python):
    """Run the kernels of some files.

    After a bad access oclgrind continues, and may exit successfully, so any output is a finding.
    It does not go to oclgrind's log, which every new context empties.
    """
    command = ["oclgrind", *OPTIONS, *options, python, "-m", "sanitize.kernels", *sorted(files)]
    run(command, root / "tests", ENVIRONMENT, silent=True)
