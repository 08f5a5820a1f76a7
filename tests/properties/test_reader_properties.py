"""Files with mutations: a reader returns a value, or raises its one exception, in a short line."""

import itertools
import os

import fuzz_readers
import pytest
import readers
from cases import says

EXAMPLES = 8 * int(os.environ.get("POLYMASK_EXAMPLES", "10"))  # as in tests/conftest.py
# For each: a third of what a target of C++ has, as there are many; `make fuzz` gives all of it.
SECONDS = int(os.environ.get("POLYMASK_FUZZ_SECONDS") or 9) // 3


@pytest.mark.slow
@pytest.mark.parametrize("name", readers.READERS)
def test_a_changed_file_is_read_or_refused_in_a_line(name, tmp_path):
    """By the same files in each run: `make fuzz` draws others."""
    said = list(itertools.islice(readers.attempts(name, tmp_path, name), EXAMPLES))
    assert sum(one is not None for one in said) > EXAMPLES / 5


def test_a_file_that_fails_is_kept_and_drawn_again_by_its_seed(tmp_path, monkeypatch, capsys):
    def reader(file):
        if file.read_bytes() != b"[1, 2]":
            raise ZeroDivisionError("a defect")
        return 1

    monkeypatch.setattr(readers, "READERS", {"a list": (reader, lambda _: "[1, 2]", "a.json")})
    monkeypatch.setattr(fuzz_readers, "CRASHES", tmp_path / "crashes")
    assert fuzz_readers.main(["--seed", "7"]) == 1
    said = capsys.readouterr().out
    assert "ZeroDivisionError: a defect" in said
    assert says(said, "fuzz_readers.py", "--seed")
    (kept,) = (tmp_path / "crashes").iterdir()
    assert str(kept) in said
    with pytest.raises(ZeroDivisionError):
        fuzz_readers.main(["--file", str(kept), "a list"])
    first = kept.read_bytes()
    kept.unlink()
    assert fuzz_readers.main(["--seed", "7", "a list"]) == 1
    assert kept.read_bytes() == first


@pytest.mark.weekly
@pytest.mark.parametrize("name", readers.READERS)
def test_nothing_is_found_by_what_is_led_by_the_code_it_reaches(name, tmp_path):
    pytest.importorskip("atheris")
    failed, count = fuzz_readers.fuzz_guided(name, SECONDS, seed=1, corpus=tmp_path)
    assert failed is None, failed
    assert count > 2  # the empty file, the good one, and others
