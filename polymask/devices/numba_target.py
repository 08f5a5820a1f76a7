"""The processor that the environment tells Numba to compile for: tried in a process of its own.

Of a word that LLVM does not know, it ends the process, or says so several times and goes on.
"""

import functools
import importlib.util
import os
import subprocess
import sys

from polymask import contract, refusals
from polymask._fresh import ROOT

ASKED = "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"
TRIAL = "import numba; numba.njit(lambda: 0)()"
UNKNOWN = b"is not a recognized"  # LLVM's words


def check():
    """Refuse a processor, or features of one, that Numba cannot compile for; see `BadSetting`."""
    told = tuple((name, os.environ[name]) for name in ASKED if name in os.environ)
    if told and importlib.util.find_spec("numba") and not _compiles(told):
        words = " and ".join(f"{name}={refusals.named(value)}" for name, value in told)
        names = " and ".join(name for name, _ in told)
        raise contract.BadSetting(f"Numba cannot compile for {words}", f"unset {names}")


@functools.cache
def _compiles(_told):
    """Try it, once for what the variables say: the process inherits them."""
    done = subprocess.run(
        [sys.executable, "-c", TRIAL],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return done.returncode == 0 and UNKNOWN not in done.stderr
