"""The process that builds a student's files; `ladder.workshop.sandbox.build` starts it.

Copies of the files are built in a folder beside the student's, so that neither the student's
folder nor the installed package is touched. Cython and the compiler write to standard error; the
parent process shows the part about the student's lines.
"""

import json
import os
import runpy
import sys
import traceback
from pathlib import Path

from ladder.workshop.exercises import ROOT

# The module with Cython's code for memoryviews, which takes most of a build's time elsewhere.
SHARED = "polymask._cyutility"
FLAGS = ["-O3", "-g0", "-fdiagnostics-color=never"]


def main():
    """Run the build job in sys.argv[1]; exit 1 with the reason if it fails."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    os.chdir(job["source"])
    try:
        run_setup() if job["build"] == "setup" else run_cython(job)
    except SystemExit as stop:
        if stop.code:
            sys.exit(str(stop.code))
    except BaseException as error:
        sys.exit(describe(error, Path(job["source"])))


def describe(error, source):
    """Describe an error in a line or two, with the student's line if one raised it."""
    if isinstance(error, SyntaxError):
        return f"{Path(error.filename or '?').name}, line {error.lineno}: {error.msg}"
    if type(error).__name__ == "CompileError" and type(error).__module__.startswith("Cython"):
        return "Cython could not translate it"  # its message is on standard error already
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).name == "setup.py"
        and Path(frame.filename).parent in (source, Path())
    ]
    where = f"setup.py, line {lines[-1]}: " if lines else ""
    if isinstance(error, NotImplementedError):
        return f"{where}not written yet: {error}"
    return f"{where}{type(error).__name__}: {error}".removesuffix(": ")


def run_setup():
    """Run the student's setup.py; beside the sources, write `lib` and a list of its commands."""
    from Cython.Compiler import Options

    Options.default_options["shared_utility_qualified_name"] = SHARED
    os.environ["CFLAGS"] = f"{os.environ.get('CFLAGS', '')} -g0"  # as in FLAGS
    commands = []

    def note(event, arguments):
        if event == "subprocess.Popen" and not isinstance(arguments[1], str | bytes):
            commands.append([os.fsdecode(word) for word in arguments[1]])

    sys.addaudithook(note)
    sys.argv = ["setup.py", "-q", "build_ext", "--build-lib", "../lib", "--build-temp", "../tmp"]
    sys.path.insert(0, os.getcwd())
    try:
        runpy.run_path("setup.py", run_name="__main__")
    finally:
        Path("../commands.json").write_text(json.dumps(commands), encoding="utf-8")


def run_cython(job):
    """Compile the exercise's sources into one module, as the project's setup.py does."""
    import numpy as np
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    csrc = str(ROOT / "csrc")
    headers = [".", csrc] if job["headers"] else ["."]
    extension = Extension(
        f"workshop.{job['module']}",  # a full name: csrc has .pxd files with short names
        job["sources"],
        language=job["language"],
        include_dirs=[*headers, np.get_include()],  # for a cimport of NumPy
    )
    extensions = cythonize(
        [extension],
        include_path=headers,
        build_dir="../cython",
        annotate=True,
        quiet=True,
        force=True,
        shared_utility_qualified_name=SHARED,
    )
    if job["build"] == "annotate":
        return
    exact = Path(csrc, "engine/exact_flags.txt").read_text(encoding="utf-8").split()
    std = ["-std=c++20"] if job["language"] == "c++" else []
    extensions[0].extra_compile_args += [*FLAGS, *exact, *std]
    command = Distribution({"name": "workshop", "ext_modules": extensions}).get_command_obj(
        "build_ext"
    )
    command.build_lib, command.build_temp, command.force = "../lib", "../tmp", True
    command.ensure_finalized()
    command.run()
