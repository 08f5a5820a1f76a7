"""What the environment tells Numba's compiler: whether to compile, and for which processor.

The processor is tried in a process of its own: of a word that LLVM does not know, Numba ends the
process, or says so several times and goes on.
"""

import functools
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

from polymask import contract
from polymask.common import error_text
from polymask.common.staleness import ROOT

ASKED = "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"
TRIAL = "import numba; numba.njit(lambda: 0)()"
UNKNOWN = b"is not a recognized"  # LLVM's words


OFF = "NUMBA_DISABLE_JIT"
FILE = ".numba_config.yaml"  # of the current folder, which Numba reads where there is PyYAML
OFF_IN_FILE = re.compile(r"^\s*disable_jit\s*:\s*[\"']?(?!0\b)\d", re.MULTILINE | re.IGNORECASE)


def check():
    """Refuse what keeps Numba from compiling for this processor; see `BadSetting`."""
    if (os.environ.get(OFF) or "0").strip() != "0":
        _refuse(f"{OFF}={error_text.named(os.environ[OFF])}", f"unset {OFF}")
    if OFF not in os.environ and _is_off_in_file():
        _refuse(f"disable_jit in {FILE}", f"remove it from {Path(FILE).absolute()}")
    told = tuple((name, os.environ[name]) for name in ASKED if name in os.environ)
    if told and importlib.util.find_spec("numba") and not _compiles(told):
        words = " and ".join(f"{name}={error_text.named(value)}" for name, value in told)
        names = " and ".join(name for name, _ in told)
        raise contract.BadSetting(f"Numba cannot compile for {words}", f"unset {names}")


def _refuse(setting, mend):
    raise contract.BadSetting(f"{setting}: Numba compiles nothing then", mend)


def _is_off_in_file():
    file = Path(FILE)
    if not (file.is_file() and importlib.util.find_spec("yaml")):
        return False
    return bool(OFF_IN_FILE.search(file.read_text(encoding="utf-8", errors="replace")))


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
