"""Results that were mended by hand: what is not whole is named, with its file and its row."""

import copy
import json
import math
import re
from pathlib import Path

import pytest

from polymask import cli
from polymask.report import results, whole


@pytest.fixture(scope="module")
def committed():
    """The result of README's table."""
    root = Path(__file__).resolve().parent.parent
    name = re.search(r"<!-- table of (\S+) -->", (root / "README.md").read_text())[1]
    return results.load(root / name)[0]


def row(found, number=4):
    return found["rows"][number]


BUSY = {"busy": True, "cores_used": 1.5, "cores_stolen": 0.0, "programs": 2}
BROKEN = {
    "no machine's CPU": (lambda d: d["machine"].pop("cpu"), "its machine has no cpu"),
    "a polygon of nothing": (lambda d: d["workload"].update(polygon_xy=None), "polygon_xy .* list"),
    "a vertex of three": (lambda d: d["workload"]["polygon_xy"].append([1, 2, 3]), "vertex 24"),
    "a NaN vertex": (lambda d: d["workload"]["polygon_xy"].append([1, math.nan]), "two numbers"),
    "a shape in words": (lambda d: d["workload"].update(shape="big"), "shape .* got 'big'"),
    "rows of numbers": (lambda d: d.update(rows=[1, 2]), "row 0 has to be an object"),
    "rows by name": (lambda d: d.update(rows={}), "rows has to be a list"),
    "a row without a kind": (lambda d: row(d).pop("kind"), r"row 4 \(cython.typed\) has no kind"),
    "a time in words": (lambda d: row(d).update(median_s="fast"), "median_s .* got 'fast'"),
    "a time below zero": (lambda d: row(d).update(min_s=-1.0), "min_s .* above zero"),
    "no time": (lambda d: row(d).update(median_s=None), "ok, and has no time"),
    "an infinite sample": (lambda d: row(d)["samples_s"].append(math.inf), "a sample .* inf"),
    "an interval of one": (lambda d: row(d).update(ci95_s=[1]), "ci95_s has to be two numbers"),
    "another status": (lambda d: row(d).update(status="fine"), "status is one of ok"),
    "prices of nothing": (lambda d: d["yardstick"].update(prices=None), "prices has to be"),
    "a price in words": (lambda d: d["yardstick"].update(prices={"call_s": "1"}), "call_s"),
    "a price below zero": (lambda d: d["yardstick"].update(prices={"call_s": -1.0}), "call_s"),
    "busy in words": (
        lambda d: d["machine"].update(busy_before="very"),
        "busy_before has to be an",
    ),
    "busy by half": (lambda d: d["machine"].update(busy_before={"busy": True}), "no cores_stolen"),
    "cores in words": (
        lambda d: d["machine"].update(busy_before=BUSY | {"cores_used": "2"}),
        "num",
    ),
    "busy by nothing": (
        lambda d: d["machine"].update(
            load_before=None, busy_before=BUSY | {"cores_used": None, "cores_stolen": None}
        ),
        "not by how much",
    ),
    "no memset": (lambda d: d["yardstick"].pop("memset_warm_s"), "yardstick has no memset_warm_s"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_what_is_not_whole_is_named(committed, fault):
    change, message = BROKEN[fault]
    changed = copy.deepcopy(committed)
    change(changed)
    with pytest.raises(ValueError, match=message):
        whole.check(changed)


def test_every_committed_result_is_whole(root):
    files = sorted((root / "results").glob("*.json"))
    loaded = [results.load(file) for file in files if '"schema"' in file.read_text()]
    assert loaded


@pytest.mark.parametrize("command", ["report", "explain cython.typed --result"])
def test_commands_name_the_file_and_the_row(committed, command, tmp_path, capsys):
    changed = copy.deepcopy(committed)
    row(changed)["median_s"] = "fast"
    file = tmp_path / "mended.json"
    file.write_text(json.dumps(changed))
    assert cli.main([*command.split(), str(file)]) == 2
    said = capsys.readouterr().err
    assert "mended.json is no whole result: row 4 (cython.typed): median_s" in said
    assert "Traceback" not in said
