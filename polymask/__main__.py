"""The command line: `polymask` or `python -m polymask`."""

import contextlib
import os
import sys

# Set before an OpenMP runtime is loaded. Idle threads sleep, so those of one row do not slow the
# next row.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# Set before PoCL is loaded. Each of its threads stays on one core; otherwise two may share a core
# for some scheduler ticks of 4 ms while another is idle. PoCL numbers all cores of the machine, so
# this process must be allowed to use all of them.
if hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) == os.cpu_count():
    os.environ.setdefault("POCL_AFFINITY", "1")


def main():
    """Run the command line, and exit with its code."""
    try:
        from polymask.cli import main, standard_streams

        standard_streams.prepare()
        code = main()
    except KeyboardInterrupt:  # during the imports, for example; later, `main` handles it
        with contextlib.suppress(OSError):
            print("\npolymask: interrupted", file=sys.stderr)
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
