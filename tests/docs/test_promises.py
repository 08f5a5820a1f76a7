"""The page of promises shows the recorded figures and nothing else."""

import ast
import json
import re
from pathlib import Path

import fuzz_targets
import promises
import pytest
from cases import folded
from checkouts import ROOT

FILES = sorted(promises.FOLDER.glob("*.json"))


def test_the_page_has_the_recorded_figures():
    page = promises.PAGE.read_text(encoding="utf-8")
    (figures,) = re.findall(r"<!-- table of results/promises -->\n(.*?)<!-- end", page, re.S)
    assert figures == promises.table(), "run `make promises`"


@folded("file", FILES)
def test_a_record_has_a_promise_and_figures(file):
    record = json.loads(file.read_text(encoding="utf-8"))
    assert {"promise", "how", "tests", "figures", "date", "commit", "cpu"} <= record.keys()
    assert record["promise"].endswith(".")
    assert all((ROOT / name).is_file() for name in record["tests"])
    assert all(type(value) in (int, float) for value in record["figures"].values())


def record_names():
    """Return the names of records in calls to `promises.record` in tests/."""
    names = set()
    for file in (ROOT / "tests").rglob("*.py"):
        if file == Path(__file__):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "promises.record":
                names.add(ast.literal_eval(node.args[0]))
    return names


@pytest.mark.slow
def test_every_record_has_been_written():
    assert record_names() == {file.stem for file in FILES}


def test_the_figures_of_fuzzing_are_from_all_targets():
    record = json.loads((promises.FOLDER / "fuzzing.json").read_text(encoding="utf-8"))
    assert record["figures"]["fuzz targets"] == len(fuzz_targets.corpora())
