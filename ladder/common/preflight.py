"""Check for the tools that `make` needs, and print one line about the first that is missing.

It runs before anything is installed, so it uses only the standard library, and syntax that old
versions of Python accept.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile

INSTALL = "On Debian or Ubuntu, run: sudo apt install "


def compiles(compiler):
    """Return whether a compiler, given as a list of words, can compile a minimal program."""
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
    """Return a description of the first missing tool and its remedy, or "" if none is missing."""
    if sys.version_info < (3, 10):
        return (
            "Python %d.%d is too old: 3.10 or later is needed, for example: make PYTHON=python3.12"
            % (sys.version_info[:2])
        )
    try:
        import ensurepip
        import venv  # noqa: F401, importing is the check

        ensurepip.version()
    except ImportError:
        return "this Python has no venv module. " + INSTALL + "python3-venv"
    for variable, fallback in (("CC", "cc"), ("CXX", "c++")):
        command = os.environ.get(variable) or sysconfig.get_config_var(variable) or fallback
        try:
            words = shlex.split(command)
        except ValueError:  # an unclosed quotation mark
            words = []
        if not words or not shutil.which(words[0]):
            name = words[0] if words else command
            text = "the compiler %s was not found. Set %s to another one, or install one. "
            return text % (name, variable) + INSTALL + "build-essential"
        if not compiles(words):
            advice = (
                "run the compiler by hand to see its error, or set %s to another one" % variable
            )
            return "%s cannot compile a minimal program: %s" % (command, advice)
    header = os.path.join(sysconfig.get_path("include"), "Python.h")
    if not os.path.exists(header):
        return "the Python header %s was not found. %spython3-dev" % (header, INSTALL)
    return ""


if __name__ == "__main__":
    reason = problem()
    if reason:
        sys.exit("polymask cannot be built here: " + reason)
