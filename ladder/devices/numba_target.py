"""Checks of the settings of Numba's compiler: whether to compile, and for which processor.

Another process tries to compile for the processor: for a name that LLVM does not know, Numba ends
the process, or prints warnings and continues.
"""

import functools
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

from ladder.common.staleness import ROOT
from polymask import contract
from polymask.common import error_text

ASKED = "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"
TRIAL = "import numba; numba.njit(lambda: 0)()"
UNKNOWN = b"is not a recognized"  # in LLVM's message


OFF = "NUMBA_DISABLE_JIT"
FILE = ".numba_config.yaml"  # in the current folder; Numba reads it if PyYAML is installed
OFF_IN_FILE = re.compile(r"^\s*disable_jit\s*:\s*[\"']?(?!0\b)\d", re.MULTILINE | re.IGNORECASE)


def check():
    """Refuse settings with which Numba cannot compile for this processor; see `BadSetting`."""
    if (os.environ.get(OFF) or "0").strip() != "0":
        _refuse(f"{OFF}={error_text.named(os.environ[OFF])}", f"unset {OFF}")
    if OFF not in os.environ and _is_off_in_file():
        _refuse(f"disable_jit in {FILE}", f"remove it from {Path(FILE).absolute()}")
    settings = tuple((name, os.environ[name]) for name in ASKED if name in os.environ)
    if settings and importlib.util.find_spec("numba") and not _compiles(settings):
        words = " and ".join(f"{name}={error_text.named(value)}" for name, value in settings)
        names = " and ".join(name for name, _ in settings)
        raise contract.BadSetting(f"Numba cannot compile for {words}", f"unset {names}")


def _refuse(setting, mend):
    raise contract.BadSetting(f"{setting}: Numba compiles nothing then", mend)


def _is_off_in_file():
    file = Path(FILE)
    if not (file.is_file() and importlib.util.find_spec("yaml")):
        return False
    return bool(OFF_IN_FILE.search(file.read_text(encoding="utf-8", errors="replace")))


@functools.cache
def _compiles(_settings):
    """Try to compile in a process that inherits the variables, once for each of their values."""
    done = subprocess.run(
        [sys.executable, "-c", TRIAL],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return done.returncode == 0 and UNKNOWN not in done.stderr
