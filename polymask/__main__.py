"""The command line: `polymask` or `python -m polymask`."""

import io
import os
import sys

# Before any OpenMP runtime is loaded: idle threads sleep, so that one row's do not slow the next.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def main():
    """Run the command line; the exit code is the process's."""
    from polymask.cli import main

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None under pythonw
            stream.reconfigure(errors="replace")  # Windows' code pages lack bars and dashes
    sys.exit(main())


if __name__ == "__main__":
    main()
