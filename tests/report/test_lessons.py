"""The measured rows in the lessons are those that `polymask report --lessons` writes now."""

import functools
import json

import pytest
from checkouts import ROOT

from ladder import registry
from ladder.report import lessons, marks, results

XEON = "results/2026-11-22-intel-xeon.json"


def rows_in(page):
    """Map keys to the file of the result and the text of each measured row on a page."""
    page = (ROOT / page).read_text(encoding="utf-8")
    parts = (
        (match["of"].partition(lessons.IN), match["text"]) for match in marks.MARKS.finditer(page)
    )
    return {key: (name, text) for (key, mark, name), text in parts if mark}


@functools.cache
def measured():
    """Return the keys that have a time in a committed result; a new rung may have none yet."""
    records = [json.loads(file.read_text("utf-8")) for file in ROOT.glob("results/*.json")]
    rows = [row for record in records for row in record.get("rows", [])]
    return {row["key"] for row in rows if row.get("status") == "ok"}


@pytest.mark.parametrize("rung", registry.RUNGS, ids=lambda rung: rung.key)
def test_the_page_of_a_rung_has_its_row(rung):
    rows = rows_in(rung.page)
    assert set(rows) == {rung.key} & measured()
    for key, (name, text) in rows.items():
        (result,) = results.load(ROOT / rung.folder / name)
        assert text == lessons.text(result, key, name)


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A lesson with three sets of marks, and the results that two of them name."""
    monkeypatch.setattr(lessons, "ROOT", tmp_path)
    (tmp_path / "5_opencl").mkdir()
    for name in "a.json", "b.json":
        (tmp_path / name).write_bytes((ROOT / XEON).read_bytes())
    page = tmp_path / "5_opencl/pixels.md"
    names = "openmp.simd in ../a.json", "opencl.pixels in ../b.json", "../a.json"
    old = [f"<!-- table of {name} -->\nold\n<!-- end of table -->\n" for name in names]
    page.write_text("".join(old))
    return page


def test_only_rows_of_the_results_given_are_rewritten(page, polymask):
    code, out, _ = polymask("report", "a.json", "--lessons")
    assert (code, "pixels.md" in out) == (0, True)
    simd, pixels, other = (match["text"] for match in marks.MARKS.finditer(page.read_text()))
    assert "3.49 ms, 6.47 times as fast as openmp.prange" in simd
    assert "Bound by arithmetic: 1.89 ms" in simd
    assert "[2026-11-22](../a.md)" in simd
    assert pixels == other == "old\n"


@pytest.mark.parametrize("mark", ["openmp.simd in ../c.json", "sycl.kernel in ../a.json"])
def test_a_result_without_a_row_for_a_lesson_is_refused(mark, page, polymask):
    page.write_text(f"<!-- table of {mark} -->\nold\n<!-- end of table -->\n")
    before = page.read_bytes()
    code, _, err = polymask("report", "a.json", "--lessons")
    assert (code, page.read_bytes()) == (2, before)
    assert "a.json" in err
