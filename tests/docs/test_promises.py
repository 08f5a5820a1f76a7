"""The page of what we promise shows what runs have written, and nothing else."""

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


def test_the_page_has_the_figures_that_runs_have_written():
    page = promises.PAGE.read_text(encoding="utf-8")
    (shown,) = re.findall(r"<!-- table of results/promises -->\n(.*?)<!-- end", page, re.S)
    assert shown == promises.table(), "run `make promises`"


@folded("file", FILES)
def test_a_run_says_what_it_was_and_what_it_counted(file):
    told = json.loads(file.read_text(encoding="utf-8"))
    assert {"promise", "how", "tests", "figures", "date", "commit", "cpu"} <= told.keys()
    assert told["promise"].endswith(".")
    assert all((ROOT / name).is_file() for name in told["tests"])
    assert all(type(value) in (int, float) for value in told["figures"].values())


def recorded():
    """Return what calls of `promises.record` in tests/ name their files."""
    names = set()
    for file in (ROOT / "tests").rglob("*.py"):
        if file == Path(__file__):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "promises.record":
                names.add(ast.literal_eval(node.args[0]))
    return names


@pytest.mark.slow
def test_every_run_that_tells_figures_has_told_them():
    assert recorded() == {file.stem for file in FILES}


def test_the_figures_of_fuzzing_are_of_all_targets():
    told = json.loads((promises.FOLDER / "fuzzing.json").read_text(encoding="utf-8"))
    assert told["figures"]["targets"] == len(fuzz_targets.corpora())
