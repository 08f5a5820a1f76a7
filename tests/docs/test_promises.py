"""The page of what we promise shows what runs have written, and nothing else."""

import ast
import json
import re
import subprocess
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


def test_figures_are_written_only_where_they_are_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(promises, "FOLDER", tmp_path / "new")
    told = {"promise": "Masks are right.", "how": "make test", "tests": ["a.py"]}
    monkeypatch.delenv("POLYMASK_RECORD", raising=False)
    promises.record("masks", **told, figures={"polygons": 12_345})
    assert not (tmp_path / "new").exists()
    monkeypatch.setenv("POLYMASK_RECORD", "1")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    with pytest.raises(RuntimeError, match=r"record.*share"):
        promises.record("masks", **told, figures={"polygons": 12_345})
    monkeypatch.delenv("PYTEST_XDIST_WORKER")
    promises.record("masks", **told, figures={"polygons": 12_345, "seconds": 2.5})
    (row,) = promises.table().splitlines()[3:-1]
    assert row.startswith("| Masks are right. | 12,345 polygons, 2.5 seconds (")
    assert row.endswith("| [a.py](../a.py) | `make test` |")


def test_figures_of_an_earlier_run_are_no_change_of_what_runs(tmp_path, monkeypatch):
    def git(*words):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / promises.OF).mkdir(parents=True)
    for name in "code.py", f"{promises.OF}/masks.json":
        (tmp_path / name).write_text("1\n")
    git("init")
    git("add", ".")
    who = ["user.name=a", "user.email=a@example.org", "commit.gpgsign=false"]
    git(*(word for one in who for word in ("-c", one)), "commit", "--no-verify", "-m", "All")
    monkeypatch.setattr(promises, "ROOT", tmp_path)
    (tmp_path / promises.OF / "masks.json").write_text("2\n")
    assert not promises.dirty()
    (tmp_path / "code.py").write_text("2\n")
    assert promises.dirty()


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
