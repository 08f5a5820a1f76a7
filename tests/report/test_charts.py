"""Charts show every row at its place, with words that do not touch, and with one look."""

import copy
import itertools
import math
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
from cases import folded
from checkouts import ROOT
from mended import made_result, without_time

from ladder.bench.result import Sweep
from ladder.registry import reference
from ladder.report import results
from ladder.report.limits import of_result
from polymask.common import figures

pytest.importorskip("matplotlib")

from ladder.report.charts import (
    curve_keys,
    curves,
    dot_plot,
    drawing,
    polygon,
    speedups,
    two_values,
)

STEM = ROOT / "results" / "2026-11-21-amd-epyc"
TEXT = re.compile(r"<text[^>]*>([^<]*)</text>")


def load(suffix=""):
    return results.load(f"{STEM}{suffix}.json")[0]


@pytest.fixture(scope="module")
def committed():
    return load()


@pytest.fixture
def over_threads():
    """The committed sweep over threads, with the second number's times repeated for a third."""
    sweep = load("-sweep-threads")
    sweep.values = [1, 2, 3]
    sweep.results.append(copy.deepcopy(sweep.results[1]))
    return sweep


def test_a_name_that_the_font_lacks_gives_no_warning(committed, tmp_path):
    result = copy.deepcopy(committed)
    result.machine.cpu = "\u9f99\u82af"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert drawing.save(speedups.draw(result), tmp_path / "a")


def marks_in(text, name):
    """Return the (x, y) of the marks in the group of this name."""
    part = re.search(rf'<g id="{re.escape(name)}">(.*?)</g>\s*</g>', text, re.S)[1]
    marks = re.findall(r'<use [^>]*?x="([\d.]+)" y="([\d.]+)"', part)
    return np.array(marks, float)


def on_a_line(places, values):
    """Whether places on the paper agree with values on an axis, to a tenth of a pixel."""
    slope, start = np.polyfit(values, places, 1)
    return np.allclose(np.asarray(values) * slope + start, places, atol=0.1) and abs(slope) > 1


@pytest.mark.parametrize("narrow", [False, True])
def test_every_row_has_a_bar_its_speed_up_and_the_courses(committed, narrow):
    texts = TEXT.findall(drawing.svg(speedups.draw(committed, narrow)))
    for row in committed.rows:
        assert row.key + " ¹" * row.other_algorithm in texts
        course = f"course {figures.stated(row.course_speedup)} ×"
        assert any(course in text for text in texts) == bool(row.course_speedup)
    figure = speedups.draw(committed, narrow)
    widths = [bar.get_width() for bar in figure.axes[0].patches]
    for row in committed.rows[1:]:
        assert min(abs(width - row.speedup + 1) for width in widths) < 1e-9
    assert len(widths) == len(committed.rows) + sum(bool(r.course_speedup) for r in committed.rows)
    assert min(map(abs, widths)) > 0.05  # even the bar of the base is visible


@pytest.mark.parametrize("with_base", [True, False])
def test_speed_ups_are_drawn_beside_memset(draft, with_base):
    if not with_base:
        del draft.rows[0]
    assert ("memset" in TEXT.findall(drawing.svg(speedups.draw(draft)))) is with_base


def test_old_and_new_lie_where_their_times_are(committed):
    steps, _ = two_values.steps(committed)
    text = drawing.svg(two_values.draw_steps(steps))
    assert len(steps) == len([row for row in committed.rows if row.before])
    keys = [step.new.key for step in steps]
    places = [marks_in(text, f"{kind}-{key}")[0] for key in keys for kind in ("old", "new")]
    values = [math.log(row.median_s) for step in steps for row in (step.old, step.new)]
    assert on_a_line([x for x, _ in places], values)
    heights = [y for _, y in places[::2]]
    assert heights == sorted(heights)
    assert heights == [y for _, y in places[1::2]]


def test_limits_lie_where_their_times_are(committed):
    limits = of_result(committed)
    text = drawing.svg(two_values.draw_limits(limits))
    places = [marks_in(text, f"time-{key}")[0][0] for key in limits]
    limit_places = [
        float(re.search(rf'<g id="limit-{key}">\s*<path d="M ([\d.]+) ', text)[1]) for key in limits
    ]
    values = [limit.row.median_s for limit in limits.values()]
    values += [limit.largest.seconds for limit in limits.values()]
    assert on_a_line(places + limit_places, np.log(values))


@pytest.mark.parametrize("over", ["size", "vertices"])
def test_curves_pass_through_every_median(over):
    sweep = load(f"-sweep-{over}")
    text = drawing.svg(curves.draw(sweep))
    x, y, values, times = [], [], [], []
    for key in {row.key for row in sweep.rows if row.ok}:
        points = [(value, r.row(key).median_s) for value, r in sweep.points if key in r.timed]
        marks = marks_in(text, f"curve-{key}")
        assert len(marks) == len(points)
        x += list(marks[:, 0])
        y += list(marks[:, 1])
        values += [value for value, _ in points]
        times += [seconds for _, seconds in points]
    assert on_a_line(x, np.log(values))
    assert on_a_line(y, np.log(times))


def test_threads_are_drawn_beside_the_ideal_on_plain_axes(over_threads):
    texts = TEXT.findall(drawing.svg(curves.draw_scaling(over_threads)))
    assert {"ideal", "openmp.prange", "times as fast as with 1 thread", "1", "2", "3"} <= set(texts)
    assert any("2048 x 2048 pixels, 24 vertices, 1 to 3 threads" in text for text in texts)
    for row in over_threads.rows:
        without_time(row, "skipped", "left out")
    assert curves.draw_scaling(over_threads) is None


def test_where_there_is_nothing_to_draw_there_is_no_figure(draft):
    for row in draft.rows:
        without_time(row, "skipped", "left out")
    draft.workload.shape = (0, 4)
    for chart in (speedups, polygon):
        assert chart.draw(draft) is None
    assert two_values.draw_limits(of_result(draft)) is None
    assert two_values.draw_steps(two_values.steps(draft)[0]) is None
    assert dot_plot.draw_samples(draft.rows[0]) is None
    assert drawing.save(None, "nowhere") == []


def test_charts_in_a_page_share_no_id_and_lose_no_reference(committed):
    texts = [drawing.inline(speedups.draw(committed), name, "label", "wide") for name in "ab"]
    ids = [re.findall(r'\bid="([^"]+)"', text) for text in texts]
    assert len(set(ids[0] + ids[1])) == len(ids[0] + ids[1])
    for text, own in zip(texts, ids, strict=True):
        references = re.findall(r'(?:url\(|href=")#([^")]+)', text)
        assert references
        assert set(references) <= set(own)


def test_committed_charts_have_a_dark_colour_for_each_light_one():
    dark = dict(drawing.COLOURS.values())
    listed = subprocess.check_output(["git", "ls-files", "*.svg"], cwd=ROOT, text=True)
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in listed.splitlines()]
    charts = [text for text in texts if 'id="figure_1"' in text]  # matplotlib's
    assert charts
    for text in charts:
        style, marks = text.split("</style>", 1)
        rules = re.findall(r'\[style\*="(\w+): (#\w+)"\], .* { \1: (#\w+) !important }', style)
        assert all(dark[light] == other for _, light, other in rules)
        used = set(re.findall(r'\b(fill|stroke)(?:: |=")(#[0-9a-f]{6})', marks))
        assert used == {(kind, light) for kind, light, _ in rules}
        assert not re.search(r"<text(?![^>]*fill: #)", marks)


@pytest.mark.slow
def test_drawing_leaves_style_and_backend_of_the_caller_alone(tmp_path):
    code = f"""
import matplotlib, matplotlib.pyplot
from ladder.report import results
from ladder.report.charts import drawing, speedups
matplotlib.use("svg")
matplotlib.rcParams["lines.linewidth"] = 7
before = dict(matplotlib.rcParams)
result = results.load({f"{STEM}.json"!r})[0]
drawing.save(speedups.draw(result), {str(tmp_path / "one")!r})
assert dict(matplotlib.rcParams) == before
assert matplotlib.get_backend() == "svg"
matplotlib.rcdefaults()
drawing.save(speedups.draw(result), {str(tmp_path / "two")!r})
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    for form in ("svg", "png"):
        assert (tmp_path / f"one.{form}").read_bytes() == (tmp_path / f"two.{form}").read_bytes()


@pytest.mark.parametrize("shape", [(1024, 1024), (1500, 2100), (1025, 300), (3, 5000)])
def test_polygon_shows_every_nth_pixel_of_the_mask(shape):
    vertices = np.random.default_rng(4).uniform(0, 1, (9, 2)) * shape[::-1]
    result = made_result([], vertices, shape)
    mask, step = polygon.thinned(result)
    assert np.array_equal(mask, reference.mask(vertices, shape)[::step, ::step])
    assert max(mask.shape) <= polygon.MOST_PIXELS
    (image,) = polygon.draw(result).axes[0].images
    assert np.array_equal(image.get_array()[..., 3] == 255, mask.astype(bool))
    assert image.get_extent()[1] >= shape[1] - 0.5


@folded("seed", range(6))
@folded("narrow", [False, True])
def test_keys_of_curves_never_touch(seed, narrow):
    rng = np.random.default_rng(seed)
    right, top = (200.0, 400.0) if narrow else (760.0, 540.0)
    dots = {}
    for n in range(17):
        points = rng.integers(1, 10)
        x = np.linspace(60, right - 10, 9)[:points]
        y = rng.uniform(60, 300) + rng.uniform(0, 0.8) * (top - 300) * np.linspace(0, 1, 9)[:points]
        dots[f"folder.rung{'x' * (n % 7)}{n}"] = np.column_stack([x, y])
    beside, column = curve_keys.place(dots, (50.0, 46.0, right, top))
    assert set(beside) | set(column) == set(dots)
    assert set(beside).isdisjoint(column)
    heights = list(column.values())
    assert all(46 <= y <= top for y in heights)
    assert all(upper - lower > 13.9 for upper, lower in itertools.pairwise(heights))
    last = max(points[-1][0] for points in dots.values())
    ending = [key for key in column if dots[key][-1][0] == last]
    # lines from ends at the right do not cross, as both sides have the same order
    assert ending == sorted(ending, key=lambda key: (-dots[key][-1][1], key))
    boxes = {
        key: (x, y - 6, x + drawing.width(key, curve_keys.SIZE), y + 6)
        for key, (x, y) in beside.items()
    }
    for key, box in boxes.items():
        distances = {other: distance_to(box, points[-1]) for other, points in dots.items()}
        assert min(distances, key=distances.get) == key  # its own curve is the nearest
        assert box[2] <= right + 1
        for other in boxes.keys() - {key}:
            a = boxes[other]
            assert box[0] >= a[2] or a[0] >= box[2] or box[1] >= a[3] or a[1] >= box[3]


def distance_to(box, point):
    left, bottom, right, top = box
    x, y = point
    return math.hypot(max(left - x, 0, x - right), max(bottom - y, 0, y - top))


def test_keys_of_many_curves_have_room():
    """A sweep with more rows than fit the usual height gets a taller drawing."""
    sweep_results = [copy.deepcopy(load("-sweep-size").results[-1]) for _ in range(2)]
    for result in sweep_results:
        row = result.row("scanline.engine")
        result.rows = [copy.deepcopy(row) for _ in range(60)]
        for n, copied_row in enumerate(result.rows):
            copied_row.key = f"rung{n}"
    figure = curves.draw(Sweep(over="size", values=[16, 32], results=sweep_results), narrow=True)
    keys = [text for text in figure.axes[0].texts if text.get_text().startswith("rung")]
    heights = sorted(text.get_position()[1] for text in keys)
    assert len(heights) == 60
    assert min(np.diff(heights)) > 13.9


@pytest.mark.parametrize(
    "draw",
    [
        lambda result: two_values.draw_steps(two_values.steps(result)[0]),
        lambda result: two_values.draw_limits(of_result(result)),
    ],
)
def test_an_axis_within_a_decade_has_ticks(draft, draw):
    draft.rows = [row for row in draft.rows if row.key.startswith("cclass.")]
    (axes,) = (axes for axes in draw(draft).axes if axes.get_xscale() == "log")
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert "50 ms" in labels or "20 ms" in labels


@pytest.mark.parametrize(
    ("value", "text"), [(0.001, "10⁻³"), (0.1, "0.1"), (1, "1"), (100, "100"), (1e4, "10⁴")]
)
def test_ticks_of_ratios(value, text):
    assert speedups.times(value) == text
