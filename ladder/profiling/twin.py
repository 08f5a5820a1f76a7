"""The twin of a compiled rung: the rung, built again for a profiler in a separate folder.

setup.py builds a twin like the module. Twins are never timed, as the profiler's hooks take time.
"""

import importlib.util
import os
import subprocess
import sys
import threading

from ladder.common.staleness import ROOT
from polymask.contract import Unavailable

LONG_S = 3.0  # a longer build is announced


def build(rung):
    """Build a twin of a compiled rung with hooks for cProfile, if it is stale; return its file."""
    build = ROOT / "build" / "profile"
    command = [sys.executable, "setup.py", "-q", "build_ext", f"--only={rung.key}", "--profile"]
    command += [f"--build-lib={build / 'lib'}", f"--build-temp={build / 'temp'}"]
    environment = {k: v for k, v in os.environ.items() if k != "POLYMASK_BUILD"}
    text = f"compiling {rung.key} again for a profiler"
    announcement = threading.Timer(LONG_S, print, [text], {"file": sys.stderr, "flush": True})
    announcement.start()
    try:
        process = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False
        )
    finally:
        announcement.cancel()
    folder, _, name = rung.key.rpartition(".")
    modules = sorted((build / "lib" / "ladder" / folder).glob(f"{name}.*.so"))
    if process.returncode or not modules:
        last = (process.stderr or process.stdout).strip().splitlines()[-1:] or ["it made no module"]
        raise Unavailable(f"the build of {rung.key} for a profiler failed: {last[0]}")
    return modules[0]


def load(rung, file):
    """Load a twin beside the rung's module, which remains in `sys.modules`."""
    rung.load()  # load it first, so that the twin does not take its name
    spec = importlib.util.spec_from_file_location(f"ladder.{rung.key}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.make_mask
