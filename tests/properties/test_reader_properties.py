"""Mutated files: a reader returns a value or raises its one exception, with a short line.

`make fuzz` runs these tests with other mutations, and for longer.
"""

import itertools
import os
import re
import sys
import zlib

import promises
import pytest
import readers
from checkouts import ROOT
from commands import ran

EXAMPLES = 8 * int(os.environ.get("POLYMASK_EXAMPLES", "10"))  # as in tests/support/rings.py
SECONDS = int(os.environ.get("POLYMASK_FUZZ_SECONDS") or 3)
SEED = os.environ.get("POLYMASK_SEED", "1")
GUIDED = ROOT / "tests/support/guided_reader.py"
BUILD = ROOT / "build/fuzz"


@pytest.fixture(scope="module")
def counts(request):
    """Number of files that libFuzzer let each reader read, which are recorded with a promise."""
    counts = {}
    yield counts
    if request.session.testsfailed == 0 and len(counts) == len(readers.READERS):
        promises.record(
            "readers",
            promise="A reader either reads a file or rejects it with a one-line message.",
            how=f"make fuzz FUZZ_SECONDS={SECONDS}",
            tests=["tests/properties/test_reader_properties.py", "tests/support/readers.py"],
            figures={
                "readers": len(counts),
                "seconds each": SECONDS,
                "files": sum(counts.values()) + EXAMPLES * len(counts),
                "failures": 0,
            },
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", readers.READERS)
def test_a_changed_file_is_read_or_rejected_with_one_line(name, tmp_path):
    """With the same files in each run, except where POLYMASK_SEED is set."""
    attempts = readers.attempts(name, tmp_path, f"{SEED} {name}")
    results = list(itertools.islice(attempts, EXAMPLES))
    assert sum(result is not None for result in results) > EXAMPLES / 5


def test_a_defect_of_a_reader_is_found(tmp_path, monkeypatch):
    def reader(file):
        if file.read_bytes() != b"[1, 2]":
            raise ZeroDivisionError("a defect")
        return 1

    monkeypatch.setattr(readers, "READERS", {"a list": (reader, lambda _: "[1, 2]", "a.json")})
    with pytest.raises(readers.Failed, match=r"file 0, .*ZeroDivisionError: a defect"):
        next(readers.attempts("a list", tmp_path, "7"))


@pytest.mark.weekly
@pytest.mark.parametrize("name", readers.READERS)
def test_guided_fuzzing_finds_no_failure(name, counts, tmp_path):
    """LibFuzzer selects the mutations by the Python code that they reach."""
    pytest.importorskip("atheris")
    title = name.replace(" ", "-")
    corpus = BUILD / "corpus" / title
    for folder in (corpus, BUILD / "crashes"):
        folder.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={SECONDS}",
        f"-seed={zlib.crc32(f'{SEED} {name}'.encode()) or 1}",
        f"-artifact_prefix={BUILD / 'crashes' / title}-",
        "-print_final_stats=1",
        "-timeout=60",  # seconds per file
        "-rss_limit_mb=4096",
    ]
    done = ran([sys.executable, GUIDED, name, tmp_path, *options, corpus], errors="replace")
    assert done.returncode == 0, (done.stdout + done.stderr)[-8000:]
    counted = re.search(r"^stat::number_of_executed_units:\s*(\d+)", done.stderr, re.M)
    counts[name] = int(counted[1])
    assert counts[name] > 2  # the empty file, the valid one, and others
