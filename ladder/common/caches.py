"""The folder where libraries cache compiled code: the user's cache, or a temporary folder.

In a container the home folder is often missing or not writable. PoCL, PyOpenCL, Matplotlib and the
offload runtime then fail or warn, each with a different message.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

VARIABLE = "XDG_CACHE_HOME"
MATPLOTLIB = "MPLCONFIGDIR"  # Matplotlib keeps its cache beside its settings


def ensure():
    """Ensure that libraries have a folder for caches: a temporary one if the user has none.

    A temporary folder is set in XDG_CACHE_HOME, also for child processes, and removed when this
    process ends. A folder that the user has set is not changed.
    """
    if VARIABLE not in os.environ and not is_writable(home()):
        os.environ[VARIABLE] = tempfile.mkdtemp(prefix="polymask-cache-")
        atexit.register(_remove, os.environ[VARIABLE], os.getpid())
    settings = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    if MATPLOTLIB not in os.environ and not is_writable(settings):
        os.environ[MATPLOTLIB] = str(home() / "matplotlib")


def home():
    """Return the folder of the user's caches, which may not exist."""
    return Path(os.environ.get(VARIABLE) or Path.home() / ".cache")


def is_writable(folder):
    """Return whether a folder is writable, or can be created when needed."""
    while not folder.exists():
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)


def _remove(folder, owner):
    if os.getpid() == owner:  # not in a forked child
        shutil.rmtree(folder, ignore_errors=True)
