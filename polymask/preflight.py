"""What `make` needs before it can set anything up; one line for what is missing.

Only the standard library, and syntax that an old Python understands: it runs before all else.
"""

import os
import shutil
import sys
import sysconfig


def problem():
    """Return what is missing and what to do, or an empty string."""
    if sys.version_info < (3, 10):
        return (
            "Python %d.%d is too old: 3.10 or later is needed (make PYTHON=python3.12)"
            % (sys.version_info[:2])
        )
    try:
        import ensurepip
        import venv  # noqa: F401, importing is the check

        ensurepip.version()
    except ImportError:
        return "this Python has no venv module: sudo apt install python3-venv"
    for variable, fallback in (("CC", "cc"), ("CXX", "c++")):
        command = os.environ.get(variable) or sysconfig.get_config_var(variable) or fallback
        program = (command.split() or [""])[0]
        if not shutil.which(program):
            return "no compiler: %s (%s) not found: sudo apt install build-essential" % (
                program or "none named",
                variable,
            )
    header = os.path.join(sysconfig.get_path("include"), "Python.h")
    if not os.path.exists(header):
        return "no Python headers (%s): sudo apt install python3-dev" % header
    return ""


if __name__ == "__main__":
    found = problem()
    if found:
        sys.exit("polymask cannot be built here: " + found)
