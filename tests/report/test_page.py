"""The page: everything that a result has, in one file that needs no other."""

import json
import re
import sys
from pathlib import Path

import pytest
from cases import folded, says
from checkouts import ROOT
from mended import change, without_time
from pages import STEM, Reader, load

from ladder.bench import driver
from ladder.bench.result import Yardstick
from ladder.report import columns, explanations, results, table
from ladder.report.charts import drawing, polygon
from ladder.report.page import page
from polymask import cli

NOTHING = Yardstick(memset_warm_s=None, memset_fresh_s=None)


@pytest.fixture(scope="module")
def committed():
    return load()


@pytest.fixture(scope="module")
def html(committed):
    return page.page([committed, load(f"{STEM}-sweep-size"), load(f"{STEM}-sweep-vertices")])


def test_page_is_well_formed_and_needs_no_network(html):
    reader = Reader(html)
    assert len(reader.ids) == len(set(reader.ids))
    inside = {link[1:] for link in reader.links if link.startswith("#")}
    assert inside <= set(reader.ids)
    assert len(inside) >= 5
    assert [link for link in reader.links if not link.startswith(("#", "data:"))] == []
    assert "default-src 'none'" in html
    assert re.findall(r"(?:https?:)?//[\w.-]+\.\w+", html) == []
    assert re.findall(r"url\((?!#)", html) == []
    assert "@import" not in html
    for tag, attrs in reader.tags:
        assert attrs.get("aria-labelledby", reader.ids[0]) in reader.ids, tag
        assert attrs.get("role") != "img" or attrs["aria-label"]


def test_page_has_every_text_of_the_table_and_every_note(html, committed):
    result = committed.result
    speedups = re.search(r'<table class="speedups">(.*?)</table>', html, re.S)[1]
    rows = re.findall(r'<tr class="(ok[^"]*)">(.*?)</tr>', speedups, re.S)
    expected = columns.select(result)
    for row, (kind, markup) in zip(result.rows, rows, strict=True):
        texts = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", markup, re.S)
        assert texts == [column.cell(row, result) for column in expected]
        assert kind == "ok" + " algorithm" * row.other_algorithm
    reader = Reader(html)
    for note in table.row_notes(result):
        assert note in reader.text
    for field in ("cpu", "kernel", "python", "numpy", "compiler", "flags", "commit"):
        assert getattr(result.machine, field) in reader.text
    assert result.workload.polygon_sha256 in reader.text


EVIL = "</script><script>alert(1)</script><b title=\"x\" onload='y'>&amp;"


@pytest.mark.slow
def test_text_from_outside_is_escaped(draft):
    change(draft.result.machine, cpu=EVIL, kernel=EVIL, flags=EVIL)
    draft.result.workload.polygon = EVIL
    change(draft.result.rows[3], options={"schedule": EVIL}, flags=[EVIL], title=EVIL)
    without_time(draft.result.rows[4], "skipped", EVIL)
    draft.result.rows[5].key = EVIL
    text = page.page([results.Named(EVIL + ".json", draft.result)])
    assert "alert(1)</script>" not in text
    assert "<b title" not in text
    assert text.count("<script") == 2  # the race's paces, and its script
    assert Reader(text).text.count("alert(1)") > 10
    paces = json.loads(re.search(r'class="paces">(.*?)</script>', text, re.S)[1])
    assert EVIL in [lane["key"] for lane in paces["lanes"]]


@pytest.mark.slow
def test_parts_without_data_are_omitted_with_a_reason(draft):
    for row in draft.result.rows:
        row.speedup = row.speedup_ci95 = None
    without_time(draft.result.rows[0], "skipped", "left out")
    draft.result.yardstick.prices = {}
    draft.result.workload.polygon_xy[0] = [1e300, -1e300]
    assert not polygon.has_outline(draft.result)
    draft.result.workload.shape = (64, 64)
    reader = Reader(page.page([draft]))
    assert says(reader.text, "chart", "speed-ups")
    assert says(reader.text, "no prices", "measure again", "bench")
    assert says(reader.text, "outline", "omitted")
    assert "#r0-limits" in reader.links
    assert "The course measured 1024 x 1024 pixels, 24 vertices, this table 64 x 64" in reader.text


def test_interrupted_run_with_nothing_measured(draft):
    change(draft.result, interrupted=True, seconds=None, budget_s=None)
    for row in draft.result.rows:
        without_time(row, "skipped", "interrupted before it was measured")
    draft.result.yardstick = NOTHING
    draft.result.workload.shape = (0, 1024)
    text = page.page([draft])
    assert says(Reader(text).text, "Interrupted", "time")
    assert "Time per mask" not in text  # the table would be empty
    assert "No probe ran" in text
    assert "<image" not in text
    assert "The race" not in Reader(text).text


@pytest.mark.slow
@pytest.mark.parametrize("name", [STEM, "2026-11-26-nvidia-h100"])
def test_each_time_is_explained_by_its_limits_or_parts(name):
    result = load(name).result
    explained = explanations.of_result(result)
    assert len(explained) > 10
    text = Reader(page.page([results.Named("b.json", result)])).text
    for each in explained.values():
        assert each.outcome in text
        assert each.text.partition("`")[0].strip() in text  # which marks code
        assert each.times[0][2].partition("`")[0].strip() in text
    assert ("A row on a GPU has no bar" in text) == ("h100" in name)
    # prices older than that of a launch, which is most of the row's time, explain nothing
    opencl = explained["scanline.opencl"]
    assert (opencl.binding == "") == ("h100" not in name)


def test_colours_have_names_for_light_and_dark(html):
    """A literal colour would stay light on a dark page."""
    assert all(light != dark for light, dark in drawing.COLOURS.values())
    assert len(drawing.NAMES) == len(drawing.COLOURS)  # no two are the same, so each has a name
    charts = re.findall(r'<svg class="chart.*?</svg>', html, re.S)
    assert len(charts) > 4
    for text in charts:
        assert not re.search(r"#[0-9a-f]{6}\b|\brgb|black|white", text)
        assert set(re.findall(r"var\(--([\w-]+)\)", text)) <= drawing.COLOURS.keys()


@pytest.mark.slow
def test_report_and_bench_write_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = ["bench", "--shape", "24x32", "--seconds", "0", "--rungs", "cclass.polygon"]
    assert cli.main([*command, "--out", "made", "--html", "one.html"]) == 0
    assert "made/ and one.html" in capsys.readouterr().out
    assert cli.main(["report", "made/bench.json", "--out", "again", "--html", "two.html"]) == 0
    assert Path("one.html").read_bytes() == Path("two.html").read_bytes()
    assert "cclass.polygon" in Reader(Path("one.html").read_text(encoding="utf-8")).text


@folded("command", [["bench"], ["report", str(ROOT / "results" / f"{STEM}.json")]])
@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_a_missing_package_is_reported_in_one_line(command, missing, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr(driver, "measure", lambda *_, **__: pytest.fail("measured"))
    assert cli.main([*command, "--out", "out", "--html", "page.html"]) == 1
    assert not list(tmp_path.glob("**/*.md"))
    assert "pip install 'polymask[bench]'" in capsys.readouterr().err
