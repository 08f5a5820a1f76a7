"""Results that were edited by hand: errors name the incomplete part, its file and its place."""

import copy
import json
import math
import re
from pathlib import Path

import pytest
from cases import folded
from checkouts import ROOT

from ladder.bench import result_json
from ladder.report import results


@pytest.fixture(scope="module")
def committed():
    """The content of the file behind README's table."""
    root = ROOT
    name = re.search(r"<!-- table of (\S+) -->", (root / "README.md").read_text())[1]
    return json.loads((root / name).read_text(encoding="utf-8"))


def row(content, number=4):
    return content["rows"][number]


BUSY = {"busy": True, "cores_used": 1.5, "cores_stolen": 0.0, "programs": 2}
ROW = r"rows\[4\] \(cython.typed\)"
BROKEN = {
    "no machine": (lambda d: d.pop("machine"), "it has no machine"),
    "a polygon of nothing": (lambda d: d["workload"].update(polygon_xy=None), "polygon_xy .* list"),
    "a NaN vertex": (
        lambda d: d["workload"]["polygon_xy"].append([1, math.nan]),
        r"workload.polygon_xy\[24\]\[1\] must be a number, got nan",
    ),
    "no vertex": (lambda d: d["workload"].update(polygon_xy=[]), "workload: a polygon needs at le"),
    "a time beyond all": (lambda d: row(d).update(min_s=10**400), f"{ROW}.min_s must be a number"),
    "a shape below zero": (
        lambda d: d["workload"].update(shape=[-1, 2]),
        r"shape\[0\] must be an integer not below zero, got -1",
    ),
    "rows of numbers": (lambda d: d.update(rows=[1, 2]), r"rows\[0\] must be an object"),
    "a row without a kind": (lambda d: row(d).pop("kind"), f"{ROW} has no kind"),
    "a time in words": (
        lambda d: row(d).update(median_s="fast"),
        f"{ROW}.median_s must be a number above zero, from 1e-50 to 1e50, or null, got 'fast'",
    ),
    "a time of aeons": (lambda d: row(d).update(min_s=1e300), "min_s .* 1e50, .*, got 1e.300"),
    "no time": (lambda d: row(d).update(median_s=None), f"{ROW}: its status is ok, but .* no time"),
    "an infinite sample": (lambda d: row(d)["samples_s"].append(math.inf), r"samples_s\[.* inf"),
    "another status": (lambda d: row(d).update(status="fine"), "status .* one of ok, skipped"),
    "a name that no field has": (lambda d: row(d).update(medain_s=1), f"{ROW} has 'medain_s', unk"),
    "a name that no terminal should have": (
        lambda d: row(d).update({"\x1b[31m": 1}),
        rf"{ROW} has '\\x1b\[31m', unknown",
    ),
    "prices of nothing": (lambda d: d["yardstick"].update(prices=None), "prices must be an obj"),
    "busy by nothing": (
        lambda d: d["machine"].update(
            load_before=None, busy_before=BUSY | {"cores_used": None, "cores_stolen": None}
        ),
        "without its load",
    ),
    "a device without a name": (
        lambda d: d["machine"]["devices"]["opencl"].pop("name"),
        "machine.devices.opencl has no name",
    ),
}


@folded("fault", BROKEN)
def test_incomplete_parts_are_named(committed, fault):
    change, message = BROKEN[fault]
    content = copy.deepcopy(committed)
    change(content)
    with pytest.raises(ValueError, match=message) as error:
        result_json.load(content, "mended.json")
    assert str(error.value).startswith("mended.json is not a complete result: ")
    assert "\n" not in str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize("every", [[], ["--all"]])
def test_nothing_in_a_file_commands_the_terminal(committed, polymask, every):
    evil = "\x1b]0;PWNED\x07\x9b31m\x08"
    content = copy.deepcopy(committed)
    content["machine"].update(cpu=evil, kernel=evil, cython=evil, packages={evil: evil})
    content["workload"]["polygon"] = evil
    row(content).update(changes=evil, options={evil: evil})
    for name in ("a.json", "b.json"):
        content["machine"]["commit"] = name
        Path(name).write_text(json.dumps(content))
    code, out, err = polymask("report", "a.json", "b.json", *every, "--out", ".")
    assert (code, err) == (0, "")
    output = out + Path("a.md").read_text()
    assert not [c for c in evil if not c.isprintable() and c in output]
    assert r"\x1b]0;PWNED\x07" in out


def test_a_field_that_a_file_does_not_have_takes_its_default(committed):
    content = copy.deepcopy(committed)
    del row(content)["kernel_s"], content["machine"]["load_after"]
    result = result_json.load(content, "old.json")
    assert result.rows[4].kernel_s is result.machine.load_after is None


@pytest.mark.parametrize("values", [[], [1, 2, 3]])
def test_a_sweep_has_a_result_for_each_value(committed, values):
    base = {name: part for name, part in committed.items() if name != "schema"}
    sweep = {"schema": 2, "over": "size", "values": values, "results": [base] * min(len(values), 2)}
    with pytest.raises(ValueError, match=f"it has {len(values)} values and"):
        result_json.load(sweep, "sweep.json")
    broken = copy.deepcopy(base)
    broken["rows"][0]["median_s"] = 0
    sweep |= {"values": [1, 2], "results": [base, broken]}
    with pytest.raises(ValueError, match=r"results\[1\].rows\[0\] \(python.tuples\).median_s"):
        result_json.load(sweep, "sweep.json")


@pytest.mark.slow
def test_saved_results_are_read_back(root, tmp_path):
    for file in sorted((root / "results").glob("*.json")):
        if '"schema"' in file.read_text(encoding="utf-8"):
            (result,) = results.load(file)
            result_json.save(result, tmp_path / "again.json")
            assert results.load(tmp_path / "again.json") == [result]
            new, old = (
                json.loads(path.read_text(encoding="utf-8"))
                for path in (tmp_path / "again.json", file)
            )
            assert is_same(new, old)


def is_same(new, old):
    """Whether JSON is the same, except for new fields without a value, or with the default."""
    if isinstance(new, dict) and isinstance(old, dict):
        equal = all(is_same(value, old[name]) for name, value in new.items() if name in old)
        added = {new[name] or None for name in new.keys() - old.keys()}
        return equal and old.keys() <= new.keys() and added <= {None, "fresh"}  # a row's `mask`
    if isinstance(new, list) and isinstance(old, list):
        return len(new) == len(old) and all(map(is_same, new, old))
    return new == old
