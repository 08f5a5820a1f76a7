"""The twin of a compiled rung: the rung, built again for a profiler in a separate folder.

setup.py builds a twin like the module. Twins are never timed, as the profiler's hooks take time.
"""

import importlib.util
import os
import subprocess
import sys

from ladder.common.staleness import ROOT
from polymask.contract import Unavailable

LONG_S = 3.0  # a longer build is announced


def build(rung):
    """Build a twin of a compiled rung with hooks for cProfile, if it is stale; return its file."""
    if not (ROOT / "setup.py").exists():
        raise Unavailable(
            f"{rung.key} has to be built again, but a wheel has no sources",
            "clone the project with git, and run `make build` in it",
        )
    build = ROOT / "build" / "profile"
    command = [sys.executable, "setup.py", "-q", "build_ext", f"--only={rung.key}", "--profile"]
    command += [f"--build-lib={build / 'lib'}", f"--build-temp={build / 'temp'}"]
    environment = {k: v for k, v in os.environ.items() if k != "POLYMASK_BUILD"}
    code, output = _run(command, environment, f"compiling {rung.key} again for a profiler")
    folder, _, name = rung.key.rpartition(".")
    modules = sorted((build / "lib" / "ladder" / folder).glob(f"{name}.*.so"))
    if code or not modules:
        last = output.strip().splitlines()[-1:] or ["it made no module"]
        raise Unavailable(f"the build of {rung.key} for a profiler failed: {last[0]}")
    return modules[0]


def _run(command, environment, announcement):
    """Run a command, print the announcement if it takes long; return exit code and output."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) as process:
        try:
            try:
                out, errors = process.communicate(timeout=LONG_S)
            except subprocess.TimeoutExpired:
                print(announcement, file=sys.stderr, flush=True)
                out, errors = process.communicate()
        except BaseException:  # such as Ctrl-C
            process.kill()
            raise
    return process.returncode, errors or out


def load(rung, file):
    """Load a twin beside the rung's module, which remains in `sys.modules`."""
    rung.load()  # load it first, so that the twin does not take its name
    spec = importlib.util.spec_from_file_location(f"ladder.{rung.key}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.make_mask
