"""A compiled rung, built once more for a profiler, in a folder of its own.

setup.py knows how a module is built, and builds the twin too. What is measured elsewhere is never
a twin: hooks for a profiler cost time.
"""

import importlib.util
import os
import subprocess
import sys

from polymask.common.staleness import ROOT
from polymask.contract import Unavailable

# setup.py's options: for hooks for cProfile, and for the same code with numbers of source lines.
KINDS = {"profile": "--profile", "lines": "--debug"}
LONG_S = 3.0  # what lasts longer is announced


def build(rung, kind):
    """Build the twin of a compiled rung, one of `KINDS`, where it is stale; return its file."""
    if not (ROOT / "setup.py").exists():
        raise Unavailable(
            f"{rung.key} has to be built once more, and a wheel has no sources",
            "git clone the project, and `make build` in it",
        )
    place = ROOT / "build" / kind
    command = [sys.executable, "setup.py", "-q", "build_ext", f"--only={rung.key}", KINDS[kind]]
    command += [f"--build-lib={place / 'lib'}", f"--build-temp={place / 'temp'}"]
    environment = {k: v for k, v in os.environ.items() if k != "POLYMASK_BUILD"}
    code, said = _run(command, environment, f"compiling {rung.key} once more, for a profiler")
    folder, _, name = rung.key.rpartition(".")
    found = sorted((place / "lib" / "polymask" / folder).glob(f"{name}.*.so"))
    if code or not found:
        last = said.strip().splitlines()[-1:] or ["no module came of it"]
        raise Unavailable(f"the build of {rung.key} for a profiler failed: {last[0]}")
    return found[0]


def _run(command, environment, announcement):
    """Run a command; return its exit code and what it printed. If it takes long, say so."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) as process:
        try:
            try:
                out, errors = process.communicate(timeout=LONG_S)
            except subprocess.TimeoutExpired:
                print(announcement, file=sys.stderr, flush=True)
                out, errors = process.communicate()
        except BaseException:  # Ctrl-C, say
            process.kill()
            raise
    return process.returncode, errors or out


def load(rung, file):
    """Load a twin beside the rung's module, which stays what `import` gives."""
    rung.load()  # first, else the twin would take its name
    spec = importlib.util.spec_from_file_location(f"polymask.{rung.key}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.make_mask
