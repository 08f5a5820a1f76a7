"""The page: everything that a result has, in one file that needs no other."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cases import says
from checkouts import ROOT
from mended import change, without_time
from pages import STEM, Reader, load
from rich.console import Console

from ladder.bench import driver
from ladder.bench.plan import Plan
from ladder.bench.result import Yardstick
from ladder.cost import limits
from ladder.registry import workload
from ladder.report import columns, device_calls, results, table
from ladder.report import limits as limits_report
from ladder.report.charts import drawing, polygon, two_values
from ladder.report.page import measured, page, race
from polymask import cli

NOTHING = Yardstick(memset_warm_s=None, memset_fresh_s=None)


@pytest.fixture(scope="module")
def committed():
    return load()


@pytest.fixture(scope="module")
def html(committed):
    return page.page([committed, load(f"{STEM}-sweep-size"), load(f"{STEM}-sweep-vertices")])


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_page_is_well_formed_and_its_ids_are_unique(html):
    reader = Reader(html)
    assert len(reader.ids) == len(set(reader.ids))
    for tag, attrs in reader.tags:
        label_id = attrs.get("aria-labelledby")
        assert label_id is None or label_id in reader.ids, tag
    inside = [link[1:] for link in reader.links if link.startswith("#")]
    assert set(inside) <= set(reader.ids)
    assert len(inside) >= 6


def test_page_needs_no_network(html):
    outside = [link for link in Reader(html).links if not link.startswith(("#", "data:"))]
    assert outside == []
    assert "default-src 'none'" in html
    assert re.findall(r"(?:https?:)?//[\w.-]+\.\w+", html) == []
    assert re.findall(r"url\((?!#)", html) == []
    assert "@import" not in html


def test_page_has_every_text_of_the_table_and_every_note(html, committed):
    result = committed.result
    speedups = re.search(r'<table class="sortable speedups">(.*?)</table>', html, re.S)[1]
    rows = re.findall(r'<tr class="ok[^>]*>(.*?)</tr>', speedups, re.S)
    expected = columns.key_first(columns.select(result))
    for row, markup in zip(result.rows, rows, strict=True):
        texts = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", markup, re.S)
        assert texts == [column.cell(row, result) for column in expected]
    reader = Reader(html)
    for note in table.row_notes(result):
        assert note in reader.text
    for field in ("cpu", "kernel", "python", "numpy", "compiler", "flags", "commit"):
        assert getattr(result.machine, field) in reader.text
    assert result.workload.polygon_sha256 in reader.text
    assert reader.text.count("A ratio is the median of the ratios of all pairs") == 2


def test_algorithm_changes_are_marked(html, committed):
    keys = re.findall(r'<tr class="ok algorithm">\s*<th[^>]*data-value="([^"]+)"', html)
    expected = [row.key for row in committed.result.rows if row.other_algorithm]
    assert keys == expected
    assert expected


def test_every_drawing_has_a_name_or_is_hidden_from_readers_of_the_screen(html):
    for tag, attrs in Reader(html).tags:
        if tag == "svg" and "viewBox" in attrs and "role" not in attrs:
            # a part of another drawing
            assert "width" in attrs
        if attrs.get("role") == "img":
            assert attrs["aria-label"]


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_page_is_the_same_to_the_byte(html, tmp_path):
    """In separate processes, which hash strings differently."""
    names = (STEM, f"{STEM}-sweep-size", f"{STEM}-sweep-vertices")
    files = [str(ROOT / "results" / f"{name}.json") for name in names]
    code = (
        "import sys; from pathlib import Path; from ladder.report import results; "
        "from ladder.report.page import page; "
        "page.write([results.Named(Path(f).name, results.load(f)[0]) for f in sys.argv[2:]], "
        "sys.argv[1])"
    )
    for seed in ("1", "2"):
        file = tmp_path / f"{seed}.html"
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, file, *files], env=environment, check=True)
        assert file.read_text(encoding="utf-8") == html


EVIL = "</script><script>alert(1)</script><b title=\"x\" onload='y'>&amp;"


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_what_comes_from_outside_is_escaped(draft):
    change(draft.result.machine, cpu=EVIL, kernel=EVIL, flags=EVIL)
    draft.result.workload.polygon = EVIL
    row = draft.result.rows[3]
    change(row, options={"schedule": EVIL}, flags=[EVIL], title=EVIL)
    skipped = draft.result.rows[4]
    without_time(skipped, "skipped", EVIL)
    draft.result.rows[5].key = EVIL
    text = page.page([results.Named(EVIL + ".json", draft.result)])
    assert "alert(1)</script>" not in text
    assert "<b title" not in text
    assert text.count("<script") == 3  # the race's paces, and two scripts
    reader = Reader(text)
    assert reader.text.count("alert(1)") > 10
    paces = json.loads(re.search(r'class="paces">(.*?)</script>', text, re.S)[1])
    assert EVIL in [lane["key"] for lane in paces["lanes"]]


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_wrong_and_skipped_rows_have_their_reasons(draft):
    rows = draft.result.rows
    without_time(rows[4], "wrong", "7 of 9 pixels differ from the reference")
    rows[4].wrong_pixels = 7
    without_time(rows[6], "skipped", "no luck: <try> again")
    text = page.page([draft])
    assert '<tr class="wrong">' in text
    words = Reader(text).text
    assert "7 of 9 pixels differ" in words
    assert "no luck: <try> again" in words
    # the steps that start from them are missing, and named
    steps = re.search(r"the old rung has no time here: ([^.]+\.\w+(?:, \w+\.\w+)*)", words)[1]
    assert set(steps.split(", ")) == {"clib.points", "cclass.cpp", "openmp.prange"}


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_without_the_base_there_are_no_speed_ups_and_the_page_says_so(draft):
    for row in draft.result.rows:
        row.speedup = row.speedup_ci95 = None
    without_time(draft.result.rows[0], "skipped", "left out")
    text = Reader(page.page([draft])).text
    assert says(text, "chart", "speed-ups")
    assert "Old against new" in text


def test_interrupted_run_with_nothing_measured(draft):
    change(draft.result, interrupted=True, seconds=None, budget_s=None)
    for row in draft.result.rows:
        without_time(row, "skipped", "interrupted before it was measured")
    draft.result.yardstick = NOTHING
    text = Reader(page.page([draft])).text
    assert says(text, "Interrupted", "time")
    assert says(text, "interrupted", "measured")
    assert "Time per mask" not in text  # the table would be empty
    assert "not recorded" in text
    assert "No probe ran" in text
    assert "The race" not in text


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_image_without_pixels_has_no_picture(draft):
    draft.result.workload.shape = (0, 1024)
    text = page.page([draft])
    assert "<image" not in text
    assert "The race" not in Reader(text).text


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_libraries_have_a_table_of_their_own(committed):
    peers = load(f"{STEM}-peers-1024-24")
    reader = Reader(page.page([committed, peers]))
    assert "Compared with other libraries" in reader.text
    assert "× api.fresh" in reader.text
    assert "Side by side" not in reader.text
    assert reader.ids.count("r0-steps") == 1
    assert "r1-steps" not in reader.ids  # libraries have no steps of the ladder
    for row in peers.result.rows:
        assert row.key in reader.text
    assert "`" not in reader.text  # marked up as code
    classes = [attrs["class"] for tag, attrs in reader.tags if tag == "svg" and "class" in attrs]
    assert classes.count("chart polygon") == 1  # one polygon, drawn once


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("say `a<b` & go", "say <code>a&lt;b</code> &amp; go"),
        ("`a` and `b`", "<code>a</code> and <code>b</code>"),
        ("it's ` alone", "it&#39;s ` alone"),
    ],
)
def test_backticks_mark_code(text, markup):
    html = page.environment().from_string("{{ text|code }}").render(text=text)
    assert html == markup


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_results_of_one_polygon_stand_side_by_side(committed, draft):
    draft.result.machine.flags = "-O1 of another build"
    reader = Reader(page.page([committed, results.Named("b.json", draft.result)]))
    assert f"Side by side: {STEM}.json and b.json" in reader.text
    assert "-O1 of another build" in reader.text
    assert "within the noise" in reader.text
    assert reader.text.count("How it was measured") == 2  # in the list of parts, and once


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_limits_are_shown_where_prices_were_measured():
    keys = ["python.tuples", "cclass.polygon", "scanline.engine"]
    result = driver.measure(Plan(keys, workload.polygon(8, (24, 32)), (24, 32), seconds=0))
    rung_limits = limits.of_result(result)
    assert rung_limits
    text = Reader(page.page([results.Named("b.json", result)])).text
    for limit in rung_limits.values():
        assert limits_report.explanation(limit) in text
        assert limits_report.why(limit.largest) in text


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_a_call_on_a_gpu_is_divided_into_parts():
    (result,) = results.load(ROOT / "results/2026-11-26-nvidia-h100.json")
    text = Reader(page.page([results.Named("b.json", result)])).text
    assert device_calls.explanation(result, "scanline.opencl") in text
    assert "A row on a GPU has no bar" in text


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_a_limit_that_explains_nothing_is_named_as_such(committed):
    """Its prices are older than the price of a launch, which is most of the row's time."""
    limit = limits.of_result(committed.result)["scanline.opencl"]
    assert not limit.binds
    text = Reader(page.page([committed])).text
    assert f"not {limit.largest.name}: 29.3 µs → 1.08 ms" in text
    assert limits_report.explanation(limit) in text


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_a_step_within_the_noise_is_not_called_slower(draft):
    rows = draft.result.timed
    rows["cclass.cpp"].samples_s = [1.0001 * s for s in rows["cclass.polygon"].samples_s]
    rows["cclass.cpp"].median_s = 1.0001 * rows["cclass.polygon"].median_s
    steps = {step.new.key: step for step in two_values.steps(draft.result)[0]}
    assert steps["cclass.cpp"].noise
    assert not steps["cclass.cpp"].slower
    assert steps["scanline.threads"].slower
    assert not steps["openmp.prange"].slower
    assert says(Reader(page.page([draft])).text, "within", "noise")


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_where_limits_are_missing_the_page_says_why_and_what_to_do(draft):
    draft.result.yardstick.prices = {}
    reader = Reader(page.page([draft]))
    assert says(reader.text, "no prices", "measure again", "bench")
    assert "#r0-limits" in reader.links
    draft.result.workload.shape = (0, 8)
    assert says(Reader(page.page([draft])).text, "without", "work")


def test_every_colour_has_a_name_in_light_and_in_dark():
    """Drawings take their colours by name, so that no light one is left on a dark page."""
    folder = Path(page.__file__).parent
    style = (folder / "style.css").read_text(encoding="utf-8")
    light, dark = (dict(re.findall(r"--([\w-]+): (#\w+);", part)) for part in named_colours(style))
    assert light.keys() == dark.keys()
    assert all(light[name] != dark[name] for name in light.keys() - {"on-press"})
    names = light.keys() | drawing.COLOURS.keys()
    assert light.keys() <= set(re.findall(r"var\(--([\w-]+)\)", style)) <= names
    assert light.keys().isdisjoint(drawing.COLOURS)
    assert all(light != dark for light, dark in drawing.COLOURS.values())
    assert len(drawing.NAMES) == len(drawing.COLOURS)  # no two are the same, so each has a name
    literal = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})\b|rgba?\(|hsla?\(")
    rest = style.replace("".join(named_colours(style)), "")
    assert literal.findall(rest) == []
    for name in ("page.jinja", "charts.jinja", "tables.jinja", "race.js", "sort.js"):
        text = (folder / name).read_text(encoding="utf-8")
        assert literal.findall(text) == [], name


def test_charts_take_their_colours_by_name(html):
    """A literal colour would stay light on a dark page."""
    charts = re.findall(r'<svg class="chart.*?</svg>', html, re.S)
    assert len(charts) > 20
    for text in charts:
        assert not re.search(r"#[0-9a-f]{6}\b|\brgb|black|white", text)
        assert set(re.findall(r"var\(--([\w-]+)\)", text)) <= drawing.COLOURS.keys()


def named_colours(style):
    """Return the two blocks of style.css that name colours, for light and for dark."""
    end = re.search(
        r"^@media screen and \(prefers-color-scheme: dark\) \{\n.*?^\}\n", style, re.M | re.S
    )
    start = style.index(":root {")
    return style[start : end.start()], end[0]


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_other_workloads_than_the_courses_are_told(draft):
    markdown, text = table.markdown(draft.result), Reader(page.page([draft])).text
    assert "different work" not in markdown + text
    draft.result.workload.shape = (64, 64)
    sentence = "The course measured 1024 x 1024 pixels, 24 vertices, this table 64 x 64 pixels, "
    assert sentence in table.markdown(draft.result)
    assert sentence in Reader(page.page([draft])).text
    console = Console(width=300)
    with console.capture() as capture:
        console.print(table.for_terminal(draft.result, 300))
    assert sentence in " ".join(capture.get().split())
    for row in draft.result.rows:
        row.course_s = None
    assert sentence not in table.markdown(draft.result)


@pytest.mark.proof("ladder/report/**/*", "results/*")
@pytest.mark.parametrize("far", [1e7, 1e300])
def test_outline_beyond_what_drawings_hold_is_left_out(draft, far):
    draft.result.workload.polygon_xy[0] = [far, -far]
    assert not polygon.has_outline(draft.result)
    assert says(Reader(page.page([draft])).text, "outline", "left")


def test_pixels_that_differ_are_counted_in_good_grammar(draft):
    row = draft.result.rows[3]
    for count, text in ((1, "1 pixel differs"), (2, "2 pixels differ")):
        row.wrong_pixels = count
        assert measured.describe(row, 3)["checked"] == text


def test_stills_say_how_far_each_rung_is(committed):
    lanes = race.race(committed.result)
    assert lanes.entered == committed.result.rows
    assert race.still(1.0, 4.0, 1024) == (25.0, "row 256 of 1024")
    assert race.still(1.0, 0.4, 1024) == (100.0, "2.5 masks")
    assert race.still(10.0, 10.0, 8) == (100.0, "1.0 mask")
    assert race.still(1.0, 1e-3, 8)[1] == "1000 masks"
    slowest = max(row.median_s for row in lanes.entered)
    fastest = min(row.median_s for row in lanes.entered)
    factor, text = lanes.clocks[-1]
    assert lanes.clocks[0] == (1.0, "real time")
    assert 1 <= fastest * factor < 10  # the fastest row crawls too
    assert f"{factor:,.0f}" in text
    assert fastest < slowest


@pytest.mark.proof("ladder/report/**/*", "results/*")
def test_report_and_bench_write_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = ["bench", "--shape", "24x32", "--seconds", "0", "--rungs", "cclass.polygon"]
    assert cli.main([*command, "--out", "made", "--html", "one.html"]) == 0
    assert "made/ and one.html" in capsys.readouterr().out
    assert cli.main(["report", "made/bench.json", "--out", "again", "--html", "two.html"]) == 0
    assert Path("one.html").read_bytes() == Path("two.html").read_bytes()
    assert "cclass.polygon" in Reader(Path("one.html").read_text(encoding="utf-8")).text


def test_a_missing_folder_is_refused_before_measuring(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(driver, "measure", lambda *_, **__: pytest.fail("measured"))
    assert cli.main(["bench", "--html", "nowhere/page.html"]) == 2
    assert says(capsys.readouterr().err, "folder", "nowhere")


@pytest.mark.parametrize("command", [["bench"], ["report", str(ROOT / "results" / f"{STEM}.json")]])
@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_a_missing_package_is_reported_in_one_line(command, missing, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr(driver, "measure", lambda *_, **__: pytest.fail("measured"))
    assert cli.main([*command, "--out", "out", "--html", "page.html"]) == 1
    assert not list(tmp_path.glob("**/*.md"))
    assert "pip install 'polymask[bench]'" in capsys.readouterr().err
