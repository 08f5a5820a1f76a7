"""Give each reader of files mutations for some time, other ones in each run: part of `make fuzz`.

Half of the time a seed draws them; in the other half libFuzzer does, led by what code they reach,
where Atheris is installed (`make fuzz` installs it where it has wheels). A file that a reader fails
with is kept in build/fuzz/crashes, and the seed of the run, which is printed, draws it again.
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

TESTS = Path(__file__).parent
CRASHES = promises.ROOT / "build/fuzz/crashes"
FOUND = promises.ROOT / "build/fuzz/corpus"
GUIDED = importlib.util.find_spec("atheris") is not None


def drawn(name, seconds, seed):
    """Let a reader read files that a seed draws, for some seconds.

    Returns what failed, in words, or None, and how many files it read: one at least. The time is
    that of the whole run, so that a slow reader reads less.
    """
    end, count = time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            for count, _ in enumerate(readers.tried(name, Path(folder), f"{seed} {name}"), 1):
                if time.monotonic() >= end:
                    return None, count
        except readers.Failed as failed:
            return f"{failed}\nIt is kept as {keep(name, failed)}", count + 1


def keep(name, failed):
    """Write the file that failed to where it stays; return that place."""
    CRASHES.mkdir(parents=True, exist_ok=True)
    _, _, called = readers.READERS[name]
    file = CRASHES / f"{name.replace(' ', '-')}-{called}"
    file.write_bytes(failed.content)
    return file


def guided(name, seconds, seed, found=None):
    """Let a reader read files that what they reach guides to, for some seconds.

    Returns what `drawn` does. Files that reached something new go to the folder `found`, from which
    it begins, too.
    """
    found = found or FOUND / name.replace(" ", "-")
    for folder in (found, CRASHES):
        folder.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={max(1, round(seconds))}",
        f"-seed={zlib.crc32(f'{seed} {name}'.encode()) or 1}",
        f"-artifact_prefix={CRASHES}/{name.replace(' ', '-')}-",
        "-print_final_stats=1",
        "-timeout=60",  # seconds, for a file
        "-rss_limit_mb=4096",
    ]
    with tempfile.TemporaryDirectory() as folder:
        done = ran(
            [sys.executable, TESTS / "guided_reader.py", name, folder, *options, found],
            errors="replace",
        )
    counted = re.search(r"^stat::number_of_executed_units:\s*(\d+)", done.stderr, re.M)
    if done.returncode == 0 and counted:
        return None, int(counted[1])
    return (done.stdout + done.stderr)[-8000:], int(counted[1]) if counted else 0


def again(name, content):
    """Let a reader read a file that was kept, and print what comes of it."""
    reader, _, called = readers.READERS[name]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / called
        file.write_bytes(content.read_bytes())
        print(readers.told(reader, file) or "read")
    return 0


def fuzz(name, seconds, seed):
    """Let a reader read for some seconds in both ways, or in the one that there is.

    Returns what failed, in words, or None; and how many files it read.
    """
    failed, count = drawn(name, seconds / 2 if GUIDED else seconds, seed)
    if GUIDED and seconds and not failed:
        failed, more = guided(name, seconds / 2, seed)
        count += more
    return failed, count


def main(arguments=None):
    """Read the command line: see CONTRIBUTING."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="READER", help="default: all")
    parser.add_argument("--seconds", type=float, default=0, help="for each; default: one file")
    parser.add_argument("--seed", type=int, help="default: another one each time")
    parser.add_argument("--file", type=Path, help="that one READER is to read, and no other")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - set(readers.READERS):
        known = ", ".join(readers.READERS)
        parser.error(f"no reader {', '.join(sorted(unknown))}: there are {known}")
    if asked.file and len(asked.names) != 1:
        parser.error("--file wants one READER")
    warnings.simplefilter("error")  # to warn is neither to read nor to refuse
    if asked.file:
        return again(asked.names[0], asked.file)
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    led = (
        "half led by what they reach" if GUIDED else "none led by what it reaches: no Atheris here"
    )
    print(f"the readers of files, seed {seed}, {led}", flush=True)
    failures = files = 0
    for name in asked.names or readers.READERS:
        failed, count = fuzz(name, asked.seconds, seed)
        files += count
        print(f"{name}: {count:,} files, {'FAILED' if failed else 'nothing found'}", flush=True)
        if failed:
            failures += 1
            more = f"--seconds {asked.seconds:g} " if asked.seconds else ""
            print(f"{failed}\nAgain by one of")
            for which in (f"{more}--seed {seed}", "--file THE_KEPT_FILE"):
                print(f"    .venv/bin/python tests/fuzz_readers.py {which} {shlex.quote(name)}")
    if not failures and not asked.names and asked.seconds:
        promises.record(
            "readers",
            promise="A reader either reads a file or rejects it in one short line.",
            how=f"make fuzz FUZZ_SECONDS={asked.seconds:g}",
            tests=["tests/fuzz_readers.py", "tests/properties/test_reader_properties.py"],
            figures={
                "readers": len(readers.READERS),
                "seconds each": asked.seconds,
                "files": files,
                "failures": 0,
            },
        )
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
