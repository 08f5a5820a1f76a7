"""Where libraries keep what they have compiled: the user's cache, or a temporary folder.

A user of a container often has a home folder that is not writable, or none. PoCL, PyOpenCL,
Matplotlib and the offload runtime then fail or warn, each in its own words.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

VARIABLE = "XDG_CACHE_HOME"
MATPLOTLIB = "MPLCONFIGDIR"  # which keeps its cache beside its settings


def ensure():
    """Let libraries find a folder for caches: a temporary one where the user has none.

    It is told by XDG_CACHE_HOME, to child processes too, and is removed when this process ends. A
    folder that the user names stays as it is.
    """
    if VARIABLE not in os.environ and not is_writable(home()):
        os.environ[VARIABLE] = tempfile.mkdtemp(prefix="polymask-cache-")
        atexit.register(_remove, os.environ[VARIABLE], os.getpid())
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    if MATPLOTLIB not in os.environ and not is_writable(settings):
        os.environ[MATPLOTLIB] = str(home() / "matplotlib")


def home():
    """Return the folder of the user's caches, whether it is there or not."""
    return Path(os.environ.get(VARIABLE) or Path.home() / ".cache")


def is_writable(folder):
    """Return whether files can be written to a folder, or it can be made."""
    while not folder.exists():  # it is made when it is needed
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)


def _remove(folder, process):
    if os.getpid() == process:  # not where it was forked
        shutil.rmtree(folder, ignore_errors=True)
