"""Run compiled code where it is watched: by sanitizers, by Cython's checks, by tools that read it.

`make sanitize` runs all parts, `make sanitize ONLY="engine opencl"` some. A part whose tools are
not here is skipped, and says what it needs. The exit code is 1 if one found something. What is
built stays in build/sanitize for the next run.
"""

import sys
import time

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
    if unknown := set(names) - set(parts):
        sys.exit(f"no part is called {', '.join(sorted(unknown))}: there are {', '.join(parts)}")
    failed = 0
    with alone(str(FOLDER / "lock"), "another `make sanitize` is running: waiting for it"):
        for name in names or parts:
            began = time.monotonic()
            try:
                told = f"nothing found in {parts[name]()}"
            except Unavailable as missing:
                told = f"skipped: {missing}"
            except Found as found:
                failed = 1
                print(str(found)[-8000:])
                told = "FAILED: see above"
            print(f"{name}: {told} ({time.monotonic() - began:.0f} s)", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
