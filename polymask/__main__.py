"""The command line: `polymask` or `python -m polymask`."""

import contextlib
import os
import sys

# Before any OpenMP runtime is loaded: idle threads sleep, so that one row's do not slow the next.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
# Before PoCL is: each of its threads stays on its core. Else two may share one for some ticks of
# the scheduler, 4 ms each, while another core has nothing to do. It numbers the machine's cores, so
# all of them have to be ours.
if hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) == os.cpu_count():
    os.environ.setdefault("POCL_AFFINITY", "1")


def main():
    """Run the command line; the exit code is the process's."""
    try:
        from polymask.cli import main, standard_streams

        standard_streams.prepare()
        code = main()
    except KeyboardInterrupt:  # while all that was imported, say: afterwards `main` hears it
        with contextlib.suppress(OSError):
            print("\npolymask: interrupted", file=sys.stderr)
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
