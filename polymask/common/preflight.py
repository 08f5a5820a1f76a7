"""Check for the tools that `make` needs; it prints one line for the first missing tool.

It runs first, so it uses only the standard library and the syntax of old versions of Python.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile


def compiles(compiler):
    """Return whether a compiler, a list of words, can compile an empty program."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "empty.c")
        command = compiler + ["-c", source, "-o", os.path.join(folder, "empty.o")]
        try:
            with open(source, "w", encoding="utf-8") as file:
                file.write("int main(void) { return 0; }\n")
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


def problem():
    """Describe a missing tool and the remedy; return an empty string if none is missing."""
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
        try:
            words = shlex.split(command)
        except ValueError:  # an unclosed quotation mark
            words = []
        if not words or not shutil.which(words[0]):
            return "no compiler: %s (%s) not found: sudo apt install build-essential" % (
                words[0] if words else command,
                variable,
            )
        if not compiles(words):
            advice = "run it by hand, or set %s to another compiler" % variable
            return "%s cannot compile an empty program: %s" % (command, advice)
    header = os.path.join(sysconfig.get_path("include"), "Python.h")
    if not os.path.exists(header):
        return "no Python headers (%s): sudo apt install python3-dev" % header
    return ""


if __name__ == "__main__":
    reason = problem()
    if reason:
        sys.exit("polymask cannot be built here: " + reason)
