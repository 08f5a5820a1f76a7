"""`polymask explain`: the limits of a rung in the terminal, measured now or from a file."""

import copy
import re

import pytest
from cases import says
from mended import change, made_result, made_row, without_time

from ladder import registry
from ladder.bench import result_json
from ladder.cli import explain
from ladder.cost import limits
from ladder.report import explanations

SMALL = ("--size", "24")


@pytest.fixture(scope="module")
def result_and_file(tmp_path_factory):
    """A result with prices, and its file."""
    from ladder.bench import driver
    from ladder.bench.plan import Plan

    keys = ["python.tuples", "cython.typed", "cclass.polygon"]
    result = driver.measure(Plan(keys, shape=(24, 24), seconds=0, quick=True))
    file = tmp_path_factory.mktemp("explain") / "small.json"
    result_json.save(result, file)
    return result, file


@pytest.mark.slow
def test_it_measures_and_shows_every_limit(polymask):
    code, out, err = polymask("explain", "cclass.polygon", *SMALL)
    assert code == 0
    assert err == "measuring cclass.polygon ...\n"
    for name in ("measured", "memory", "arithmetic", "calls"):
        assert re.search(rf"^ *{name} +█", out, re.M)
    assert "24 x 24 pixels" in out
    assert "576 bytes of the mask" in out
    assert "Bound by " in out


@pytest.mark.slow
def test_a_file_is_explained_without_measuring(polymask, result_and_file):
    result, file = result_and_file
    code, out, err = polymask("explain", "python.tuples", "--result", file)
    assert code == 0
    assert err == ""  # no progress: nothing is measured
    explanation = explanations.of_result(result)["python.tuples"].text
    assert f"\n{explanation}\n" in out  # on one line in a pipe


def test_a_rung_far_from_all_limits_is_bound_by_none(polymask, root):
    file = root / "results" / "2026-11-21-amd-epyc.json"
    _, out, _ = polymask("explain", "scanline.opencl", "--result", file)
    assert re.search(r"measured +█+ +1\.08 ms +37 × arithmetic, which does not bind it", out)
    assert says(out, "None", "time")


def test_a_rung_on_a_gpu_has_the_parts_of_its_call(polymask, root):
    file = root / "results" / "2026-11-26-nvidia-h100-8192.json"
    code, out, _ = polymask("explain", "scanline.opencl", "--result", file)
    assert code == 0
    rows = re.findall(r"^ *(\w+) +█", out, re.M)
    assert rows == ["measured", "copy", "pages", "launch", "kernel"]
    assert "Limited by the copy" in out


def test_cython_typed_shows_the_price_of_the_border(polymask, result_and_file):
    result, file = result_and_file
    _, out, _ = polymask("explain", "cython.typed", "--result", file)
    share = limits.price_share(registry.get("cython.typed"), result)
    assert f"cython.typed: {100 * share:.0f} % of its time" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explain", "cclas.polygon"), "did you mean 'cclass.polygon'"),
        (("explain", "cclass.polygon", "--set", "threads=2"), "no option 'threads'"),
        (("explain", "cclass.polygon", "--result", "nowhere.json"), "does not exist"),
    ],
)
def test_bad_input_is_named_in_a_line(error_of, arguments, message):
    assert message in error_of(*arguments)


@pytest.mark.parametrize("choice", [("--size", "9"), ("--set", "threads=1"), ("--fit",)])
def test_a_file_brings_its_workload(error_of, result_and_file, choice):
    err = error_of("explain", "openmp.prange", "--result", result_and_file[1], *choice)
    assert f"leave out {choice[0]}" in err


def test_a_missing_row_or_price_is_reported(polymask, result_and_file):
    code, _, err = polymask("explain", "scanline.engine", "--result", result_and_file[1])
    assert code == 2
    assert "has no row scanline.engine" in err
    result = copy.deepcopy(result_and_file[0])
    result.yardstick.prices = {}
    result_json.save(result, "old.json")
    code, _, err = polymask("explain", "cython.typed", "--result", "old.json")
    assert code == 1
    assert says(err, "no", "prices")
    without_time(result.rows[0], "wrong", "3 of 576 pixels differ")
    result_json.save(result, "wrong.json")
    code, _, err = polymask("explain", "python.tuples", "--result", "wrong.json")
    assert code == 1
    assert "3 of 576 pixels differ" in err


def test_interrupted_it_shows_nothing_half_measured(polymask, monkeypatch):
    result = change(made_result([made_row("cclass.polygon")]), interrupted=True)
    monkeypatch.setattr(explain.driver, "measure", lambda *_, **__: result)
    code, out, err = polymask("explain", "cclass.polygon", *SMALL)
    assert (code, out) == (130, "")
    assert "interrupted" in err
