"""Check for the tools that `make` needs, and print one line about the first that is missing.

It runs before anything is installed, so it uses only the standard library, and syntax that old
versions of Python accept.
"""

import os
import shlex
import shutil
import sys
import sysconfig

INSTALL = "On Debian or Ubuntu, run: sudo apt install "
COMPILERS = (("CC", "cc", "C", "gcc"), ("CXX", "c++", "C++", "g++"))


def command(variable, fallback):
    """Return the words of a compiler's command; all of it after an unclosed quotation mark."""
    text = os.environ.get(variable) or sysconfig.get_config_var(variable) or fallback
    try:
        return shlex.split(text) or [text]
    except ValueError:
        return [text]


def missing():
    """Return what compilation lacks, in three words, its package and details; or nothing."""
    for variable, fallback, language, package in COMPILERS:
        name = command(variable, fallback)[0]
        if not shutil.which(name):
            details = "the compiler %s was not found. Set %s to another one, or install one. "
            details = details % (name, variable) + INSTALL + "build-essential"
            return "no %s compiler" % language, package, details
    header = os.path.join(sysconfig.get_path("include"), "Python.h")
    details = "the Python header %s was not found. %spython3-dev" % (header, INSTALL)
    return () if os.path.exists(header) else ("no Python header", "python3-dev", details)


def lacking():
    """Return what this machine lacks to compile, and the remedy, in a few words; or "".

    A compiler that the environment names is not looked for: without it, builds fail.
    """
    if sys.platform == "win32":
        return "no rung is compiled on Windows: use WSL, or Linux or macOS"
    named = os.environ.get("CC") or os.environ.get("CXX")
    return "" if named or not missing() else "%s: `make build` after installing %s" % missing()[:2]


def compiles(compiler):
    """Return whether a compiler, given as a list of words, can compile a minimal program."""
    import subprocess  # here, as each import of a rung imports this file
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "empty.c")
        command = compiler + ["-c", source, "-o", os.path.join(folder, "empty.o")]
        try:
            with open(source, "w", encoding="utf-8") as file:
                file.write("int main(void) { return 0; }\n")
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False


def problem(lenient=False):
    """Return a description of the first missing tool and its remedy, or "" if none is missing.

    With `lenient`, compilers may be missing.
    """
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
    tools = missing()
    if tools:
        return "" if lenient and lacking() else tools[2]
    for variable, fallback, _, _ in COMPILERS:
        words = command(variable, fallback)
        if not compiles(words):
            advice = "run it by hand to see its error, or set %s to another one" % variable
            return "%s cannot compile a minimal program: %s" % (" ".join(words), advice)
    return ""


if __name__ == "__main__":
    if "--compiler" in sys.argv:
        sys.exit(bool(lacking()))
    reason = problem("--lenient" in sys.argv)
    if reason:
        sys.exit("polymask cannot be built here: " + reason)
