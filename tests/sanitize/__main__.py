"""Run compiled code under sanitizers and Cython's checks, and analyse it with static tools.

`make sanitize` runs all parts, `make sanitize ONLY="engine opencl"` some. A part is skipped with
the reason if its tools are missing. The exit code is 1 if a part has findings, or if a part named
in POLYMASK_DEMAND is skipped. The builds are kept in build/sanitize for the next run.
"""

import os
import sys
import time

import promises
from sanitize import engine, modules, simulated, static
from sanitize.tools import FOLDER, Finding, Unavailable

from building.alone import alone

PARTS = {
    "engine": engine.watch,  # C++: the engine's tests, and all corpora
    "python": lambda: modules.watch(modules.Sanitized, "python"),
    "cython": lambda: modules.watch(modules.Checked, "cython"),
    "opencl": simulated.watch,
    "static": static.watch,
}
TITLES = {"python": "Python", "cython": "Cython", "opencl": "OpenCL", "static": "static analysis"}


def main(names, parts=PARTS):
    """Run the parts with these names, or all parts; return the exit code."""
    required = os.environ.get("POLYMASK_DEMAND", "").split()
    if unknown := {*names, *required} - set(parts):
        sys.exit(f"no part is called {', '.join(sorted(unknown))}: there are {', '.join(parts)}")
    failed, counts = 0, {}
    with alone(str(FOLDER / "lock"), "another `make sanitize` is running: waiting for it"):
        for name in names or parts:
            start = time.monotonic()
            try:
                summary = parts[name]()
                outcome = f"nothing found in {summary}"
                number, _, things = summary.partition(" ")
                counts[f"{things} ({TITLES.get(name, name)})"] = int(number)
            except Unavailable as missing:
                outcome = f"skipped: {missing}"
                if name in required:
                    failed = 1
                    outcome = f"FAILED: POLYMASK_DEMAND requires it, but it was {outcome}"
            except Finding as finding:
                failed = 1
                print(str(finding)[-8000:])
                outcome = "FAILED: see above"
            print(f"{name}: {outcome} ({time.monotonic() - start:.0f} s)", flush=True)
    if not names and len(counts) == len(parts):
        promises.record(
            "sanitizers",
            promise="There are no out-of-bounds accesses, data races or undefined behaviour.",
            how="make sanitize",
            tests=["tests/sanitize/__main__.py", ".github/workflows/weekly.yml"],
            figures=counts | {"findings": 0},
        )
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
