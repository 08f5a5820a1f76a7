"""The page of what we promise shows what runs have written, and nothing else."""

import json
import re

import promises
import pytest
from checkouts import ROOT

FILES = sorted(promises.FOLDER.glob("*.json"))


def test_the_page_has_the_figures_that_runs_have_written():
    page = promises.PAGE.read_text(encoding="utf-8")
    (shown,) = re.findall(r"<!-- table of results/promises -->\n(.*?)<!-- end", page, re.S)
    assert shown == promises.table(), "run `make promises`"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_run_says_what_it_was_and_what_it_counted(file):
    told = json.loads(file.read_text(encoding="utf-8"))
    assert {"promise", "how", "tests", "figures", "date", "commit", "cpu"} <= told.keys()
    assert told["promise"].endswith(".")
    assert all((ROOT / name).is_file() for name in told["tests"])
    assert all(type(value) in (int, float) for value in told["figures"].values())


def test_figures_are_written_only_where_they_are_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(promises, "FOLDER", tmp_path / "new")
    told = {"promise": "Masks are right.", "how": "make test", "tests": ["a.py"]}
    monkeypatch.delenv("POLYMASK_RECORD", raising=False)
    promises.record("masks", **told, figures={"polygons": 12_345})
    assert not (tmp_path / "new").exists()
    monkeypatch.setenv("POLYMASK_RECORD", "1")
    promises.record("masks", **told, figures={"polygons": 12_345, "seconds": 2.5})
    (row,) = promises.table().splitlines()[3:-1]
    assert row.startswith("| Masks are right. | 12,345 polygons, 2.5 seconds (")
    assert row.endswith("| [a.py](../a.py) | `make test` |")
