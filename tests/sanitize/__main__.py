"""Run compiled code where it is watched: by sanitizers, by Cython's checks, by tools that read it.

`make sanitize` runs all parts, `make sanitize ONLY="engine opencl"` some. A part whose tools are
not here is skipped, and says what it needs. The exit code is 1 if one found something, or if one
was skipped that POLYMASK_DEMAND names. What is built stays in build/sanitize for the next run.
"""

import os
import sys
import time

import promises
from sanitize import engine, modules, simulated, static
from sanitize.tools import FOLDER, Found, Unavailable

from polymask.building.alone import alone

PARTS = {
    "engine": engine.watch,  # C++: the engine's tests, all corpora
    "python": lambda: modules.watch(modules.Sanitized, "python"),
    "cython": lambda: modules.watch(modules.Checked, "cython"),
    "opencl": simulated.watch,
    "static": static.watch,
}


def main(names, parts=PARTS):
    """Run the parts of these names, or all; return the exit code."""
    demanded = os.environ.get("POLYMASK_DEMAND", "").split()
    if unknown := {*names, *demanded} - set(parts):
        sys.exit(f"no part is called {', '.join(sorted(unknown))}: there are {', '.join(parts)}")
    failed, watched = 0, {}
    with alone(str(FOLDER / "lock"), "another `make sanitize` is running: waiting for it"):
        for name in names or parts:
            began = time.monotonic()
            try:
                counted = parts[name]()
                told = f"nothing found in {counted}"
                number, _, things = counted.partition(" ")
                watched[f"{things} ({name})"] = int(number)
            except Unavailable as missing:
                told = f"skipped: {missing}"
                if name in demanded:
                    failed = 1
                    told = f"FAILED: POLYMASK_DEMAND asks for it, and it was {told}"
            except Found as found:
                failed = 1
                print(str(found)[-8000:])
                told = "FAILED: see above"
            print(f"{name}: {told} ({time.monotonic() - began:.0f} s)", flush=True)
    if not names and len(watched) == len(parts):
        promises.record(
            "sanitizers",
            promise="No access is out of bounds, no threads race, and no behaviour is undefined.",
            how="make sanitize",
            tests=["tests/sanitize/__main__.py", ".github/workflows/weekly.yml"],
            figures=watched | {"findings": 0},
        )
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
