"""Charts show every row at its place, with words that do not touch, and with one look."""

import copy
import re
import subprocess

import numpy as np
import pytest
from checkouts import ROOT
from mended import made_result, without_time

from ladder.registry import reference
from ladder.report import results
from ladder.report.limits import of_result
from polymask.common import figures

pytest.importorskip("matplotlib")

from ladder.report.charts import curves, drawing, polygon, speedups, two_values

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


def marks_in(text, name):
    """Return the (x, y) of the marks in the group of this name."""
    part = re.search(rf'<g id="{re.escape(name)}">(.*?)</g>\s*</g>', text, re.S)[1]
    marks = re.findall(r'<use [^>]*?x="([\d.]+)" y="([\d.]+)"', part)
    return np.array(marks, float)


def on_a_line(places, values):
    """Whether places on the paper agree with values on an axis, to a tenth of a pixel."""
    slope, start = np.polyfit(values, places, 1)
    return np.allclose(np.asarray(values) * slope + start, places, atol=0.1) and abs(slope) > 1


def test_every_row_has_a_bar_its_speed_up_and_the_courses(committed):
    texts = TEXT.findall(drawing.svg(speedups.draw(committed)))
    for row in committed.rows:
        assert row.key + " ¹" * row.other_algorithm in texts
        course = f"course {figures.stated(row.course_speedup)} ×"
        assert any(course in text for text in texts) == bool(row.course_speedup)
    figure = speedups.draw(committed)
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
