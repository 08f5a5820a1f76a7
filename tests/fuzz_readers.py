"""Give each reader of files mutations for some time, other ones in each run: part of `make fuzz`.

A file that a reader fails with is kept in build/fuzz/crashes, and the seed of the run, which is
printed, draws it again.
"""

import argparse
import secrets
import shlex
import sys
import tempfile
import time
import warnings
from pathlib import Path

import promises
import readers

CRASHES = promises.ROOT / "build/fuzz/crashes"


def fuzz(name, seconds, seed):
    """Let a reader read for some seconds; return what failed, or None, and how many files it read.

    The time is that of the whole run, so that a slow reader reads less. One file is always read.
    """
    end, count = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            for count, _ in enumerate(readers.tried(name, Path(folder), f"{seed} {name}"), 1):
                if time.monotonic() >= end:
                    return None, count
        except readers.Failed as failed:
            return failed, count + 1


def keep(name, failed):
    """Write the file that failed to where it stays; return that place."""
    CRASHES.mkdir(parents=True, exist_ok=True)
    _, _, called = readers.READERS[name]
    file = CRASHES / f"{name.replace(' ', '-')}-{called}"
    file.write_bytes(failed.content)
    return file


def main(arguments=None):
    """Read the command line: see CONTRIBUTING."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="READER", help="default: all")
    parser.add_argument("--seconds", type=float, default=0, help="for each; default: one file")
    parser.add_argument("--seed", type=int, help="default: another one each time")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - set(readers.READERS):
        known = ", ".join(readers.READERS)
        parser.error(f"no reader {', '.join(sorted(unknown))}: there are {known}")
    warnings.simplefilter("error")  # to warn is neither to read nor to refuse
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    print(f"the readers of files, seed {seed}", flush=True)
    failures = files = 0
    for name in asked.names or readers.READERS:
        failed, count = fuzz(name, asked.seconds, seed)
        files += count
        print(f"{name}: {count:,} files, {'FAILED' if failed else 'nothing found'}", flush=True)
        if failed:
            failures += 1
            again = f"--seed {seed} {shlex.quote(name)}"
            more = f"--seconds {asked.seconds:g} " if asked.seconds else ""
            print(f"{failed}\nIt is kept as {keep(name, failed)}; again by")
            print(f"    .venv/bin/python tests/fuzz_readers.py {more}{again}")
    if not failures and not asked.names and asked.seconds:
        promises.record(
            "readers",
            promise="No file makes a reader do but read it, or refuse it in a short line.",
            how=f"make fuzz FUZZ_SECONDS={asked.seconds:g}",
            tests=["tests/fuzz_readers.py", "tests/properties/test_reader_properties.py"],
            figures={
                "readers": len(readers.READERS),
                "seconds of each": asked.seconds,
                "files": files,
                "failures": 0,
            },
        )
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
