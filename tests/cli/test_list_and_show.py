"""`polymask list` and `polymask show`: the rungs, and their code."""

import re
import sys

import pytest
from cases import says
from checkouts import ROOT

from ladder import registry
from ladder.cli import show


def test_list_names_every_rung(polymask):
    code, out, _ = polymask("list")
    assert code == 0
    for rung in registry.RUNGS:
        assert rung.key in out
        assert rung.idea in out


def test_list_says_why_a_rung_does_not_run(polymask, monkeypatch):
    before = registry.unavailable().keys()
    for key in "openmp.prange", "openmp.simd":
        monkeypatch.setitem(sys.modules, f"ladder.{key}", None)
    code, out, _ = polymask("list")
    assert code == 0
    assert (
        "\n- openmp.prange, openmp.simd: not built: run `make build`, and read its output\n" in out
    )
    keys = re.findall(r"^(\w+\.\w+) +no ", out, re.M)
    assert set(keys) == {*before, "openmp.prange", "openmp.simd"}


def test_show_prints_the_facts_as_comments_and_the_file(polymask):
    code, out, _ = polymask("show", "cython.typed")
    assert code == 0
    assert out.endswith("\n\n" + (ROOT / "1_cython" / "typed.pyx").read_text())
    facts = dict(re.findall(r"^# ([\w.]+): (.*)", out.partition("\n\n")[0], re.M))
    assert facts["lesson"] == "1_cython/typed.md"
    row = (ROOT / "README.md").read_text(encoding="utf-8").split("| cython.typed | ")[1]
    _, time, _, _, times_before, *_ = row.split(" | ")
    assert facts["time"] == f"{time}, {times_before} times as fast as {facts['before']}"
    assert facts["result"].removesuffix("md") + "json" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize(
    "names",
    ["build, fill", "build, fill  # why", "(\n    build,  # why\n    fill,\n)", "build, fill as f"],
)
def test_imports_from_the_rung_before_are_read_however_they_are_written(names):
    source = f"import numpy\nfrom ladder.opencl.pixels import {names}\n\nx = (1)\n"
    assert show.imported_names(source, "ladder.opencl.pixels") == {"build", "fill"}
    assert show.imported_names(source, "ladder.opencl.other") == set()


def test_show_diff_leaves_out_code_imported_from_the_rung_before(polymask):
    """Imported code was not removed: the rung uses it unchanged."""
    _, out, _ = polymask("show", "scanline.opencl", "--diff")
    assert out.startswith("--- 5_opencl/pixels.py, except the names imported from it\n")
    assert "+from ladder.opencl.pixels import" in out
    assert "-def context(" not in out
    assert not re.search(r"^[-+].*cl.CommandQueue", out, re.M)
    assert '-    return cl.Program(context(), kernel_text("mask.cl")).build()' in out
    _, out, _ = polymask("show", "numba.linked", "--diff")  # the module before has another name
    assert out.startswith("--- 6_numba/gpu.py, except the names imported from it\n")
    assert "-def fill(" not in out
    _, out, _ = polymask("show", "python.scalars", "--diff")
    assert "inside = not inside" not in out
    assert "-    vertices = [(x, y) for x, y in vertices.tolist()]" in out


def test_show_diff_of_the_compiled_twin_and_of_the_first_rung(polymask):
    assert says(polymask("show", "cython.compiled", "--diff")[1], "no", "difference")
    code, _, err = polymask("show", "python.tuples", "--diff")
    assert code == 2
    assert says(err, "rung", "before")
    assert err.startswith("polymask: ")
    assert err.count("\n") == 1
