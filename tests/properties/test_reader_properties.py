"""Mutated files: a reader returns a value or raises its one exception, with a short line."""

import itertools
import os

import fuzz_readers
import pytest
import readers
from cases import says

EXAMPLES = 8 * int(os.environ.get("POLYMASK_EXAMPLES", "10"))  # as in tests/conftest.py
# Per reader: a third of the time of a C++ target, as there are many; `make fuzz` takes all of it.
SECONDS = int(os.environ.get("POLYMASK_FUZZ_SECONDS") or 9) // 3


@pytest.mark.slow
@pytest.mark.parametrize("name", readers.READERS)
def test_a_changed_file_is_read_or_rejected_with_one_line(name, tmp_path):
    """With the same files in each run: `make fuzz` draws others."""
    results = list(itertools.islice(readers.attempts(name, tmp_path, name), EXAMPLES))
    assert sum(result is not None for result in results) > EXAMPLES / 5


def test_a_failing_file_is_kept_and_drawn_again_from_its_seed(tmp_path, monkeypatch, capsys):
    def reader(file):
        if file.read_bytes() != b"[1, 2]":
            raise ZeroDivisionError("a defect")
        return 1

    monkeypatch.setattr(readers, "READERS", {"a list": (reader, lambda _: "[1, 2]", "a.json")})
    monkeypatch.setattr(fuzz_readers, "CRASHES", tmp_path / "crashes")
    assert fuzz_readers.main(["--seed", "7"]) == 1
    output = capsys.readouterr().out
    assert "ZeroDivisionError: a defect" in output
    assert says(output, "fuzz_readers.py", "--seed")
    (crash,) = (tmp_path / "crashes").iterdir()
    assert str(crash) in output
    with pytest.raises(ZeroDivisionError):
        fuzz_readers.main(["--file", str(crash), "a list"])
    content = crash.read_bytes()
    crash.unlink()
    assert fuzz_readers.main(["--seed", "7", "a list"]) == 1
    assert crash.read_bytes() == content


@pytest.mark.weekly
@pytest.mark.parametrize("name", readers.READERS)
def test_guided_fuzzing_finds_no_failure(name, tmp_path):
    pytest.importorskip("atheris")
    failed, count = fuzz_readers.fuzz_guided(name, SECONDS, seed=1, corpus=tmp_path)
    assert failed is None, failed
    assert count > 2  # the empty file, the valid one, and others
