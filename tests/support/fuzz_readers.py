"""Fuzz each file reader with mutated files, different ones in each run: part of `make fuzz`.

Half of the time they are drawn by a seed, the other half by libFuzzer, guided by code coverage, if
Atheris is installed (`make fuzz` installs it where it has wheels). A file with which a reader fails
is saved in build/fuzz/crashes; the printed seed of the run draws it again.
"""

import argparse
import importlib.util
import re
import secrets
import shlex
import sys
import tempfile
import time
import warnings
import zlib
from pathlib import Path

import promises
import readers
from commands import ran

SUPPORT = Path(__file__).parent
CRASHES = promises.ROOT / "build/fuzz/crashes"
CORPUS = promises.ROOT / "build/fuzz/corpus"
GUIDED = importlib.util.find_spec("atheris") is not None


def fuzz_random(name, seconds, seed):
    """Let a reader read files drawn by a seed, for some seconds.

    Returns a description of the failure or None, and the number of files read, at least one. The
    seconds include the making of files, so that a slow reader reads fewer.
    """
    end, count = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            for count, _ in enumerate(readers.attempts(name, Path(folder), f"{seed} {name}"), 1):
                if time.monotonic() >= end:
                    return None, count
        except readers.Failed as failure:
            return f"{failure}\nIt is saved as {keep(name, failure)}", count + 1


def keep(name, failed):
    """Save the file that failed; return its path."""
    CRASHES.mkdir(parents=True, exist_ok=True)
    _, _, called = readers.READERS[name]
    file = CRASHES / f"{name.replace(' ', '-')}-{called}"
    file.write_bytes(failed.content)
    return file


def fuzz_guided(name, seconds, seed, corpus=None):
    """Let a reader read files chosen by the code they reach, for some seconds.

    Returns the same as `fuzz_random`. Files that reach new code are added to the folder `corpus`,
    whose files the run begins with.
    """
    corpus = corpus or CORPUS / name.replace(" ", "-")
    for folder in (corpus, CRASHES):
        folder.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={max(1, round(seconds))}",
        f"-seed={zlib.crc32(f'{seed} {name}'.encode()) or 1}",
        f"-artifact_prefix={CRASHES}/{name.replace(' ', '-')}-",
        "-print_final_stats=1",
        "-timeout=60",  # seconds per file
        "-rss_limit_mb=4096",
    ]
    with tempfile.TemporaryDirectory() as folder:
        done = ran(
            [sys.executable, SUPPORT / "guided_reader.py", name, folder, *options, corpus],
            errors="replace",
        )
    counted = re.search(r"^stat::number_of_executed_units:\s*(\d+)", done.stderr, re.M)
    if done.returncode == 0 and counted:
        return None, int(counted[1])
    return (done.stdout + done.stderr)[-8000:], int(counted[1]) if counted else 0


def read_again(name, content):
    """Let a reader read a saved file again, and print the outcome."""
    reader, _, called = readers.READERS[name]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / called
        file.write_bytes(content.read_bytes())
        print(readers.refusal(reader, file) or "read")
    return 0


def fuzz(name, seconds, seed):
    """Fuzz a reader for some seconds with both methods, or with the available one.

    Returns a description of the failure or None, and the number of files read.
    """
    failed, count = fuzz_random(name, seconds / 2 if GUIDED else seconds, seed)
    if GUIDED and seconds and not failed:
        failed, more = fuzz_guided(name, seconds / 2, seed)
        count += more
    return failed, count


def main(arguments=None):
    """Read the command line: see CONTRIBUTING."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="READER", help="default: all")
    parser.add_argument("--seconds", type=float, default=0, help="per reader; default: one file")
    parser.add_argument("--seed", type=int, help="default: a new one each time")
    parser.add_argument("--file", type=Path, help="the only file that READER reads")
    args = parser.parse_args(arguments)
    if unknown := set(args.names) - set(readers.READERS):
        known = ", ".join(readers.READERS)
        parser.error(f"no reader {', '.join(sorted(unknown))}: there are {known}")
    if args.file and len(args.names) != 1:
        parser.error("--file needs one READER")
    warnings.simplefilter("error")  # a warning is neither a result nor a refusal
    if args.file:
        return read_again(args.names[0], args.file)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    guidance = "half guided by coverage" if GUIDED else "none guided by coverage: no Atheris here"
    print(f"the file readers, seed {seed}, {guidance}", flush=True)
    failures = files = 0
    for name in args.names or readers.READERS:
        failed, count = fuzz(name, args.seconds, seed)
        files += count
        print(f"{name}: {count:,} files, {'FAILED' if failed else 'no failure'}", flush=True)
        if failed:
            failures += 1
            more = f"--seconds {args.seconds:g} " if args.seconds else ""
            print(f"{failed}\nReproduce it with one of")
            for options in (f"{more}--seed {seed}", "--file SAVED_FILE"):
                program = ".venv/bin/python tests/support/fuzz_readers.py"
                print(f"    {program} {options} {shlex.quote(name)}")
    if not failures and not args.names and args.seconds:
        promises.record(
            "readers",
            promise="A reader either reads a file or rejects it with a one-line message.",
            how=f"make fuzz FUZZ_SECONDS={args.seconds:g}",
            tests=["tests/support/fuzz_readers.py", "tests/properties/test_reader_properties.py"],
            figures={
                "readers": len(readers.READERS),
                "seconds each": args.seconds,
                "files": files,
                "failures": 0,
            },
        )
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
