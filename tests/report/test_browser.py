"""The page in a real browser: on a phone, on a desk and on paper."""

import copy
import json
import re
from pathlib import Path

import chromium
import pytest
from checkouts import ROOT
from mended import change

from polymask.bench import driver
from polymask.bench.result import Sweep
from polymask.ladder import workload
from polymask.report import results
from polymask.report.charts import polygon
from polymask.report.page import page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.find() is None, reason="no Chromium on this machine"),
]

STEM = ROOT / "results" / "2026-11-21-amd-epyc"
PHONE, TABLET, DESK = 390, 800, 1280

# Whether two boxes lie on each other, by more than so many pixels.
MEET = """
const meet = (a, b, x, y) =>
  a.left < b.right - x && b.left < a.right - x && a.top < b.bottom - y && b.top < a.bottom - y;
const box = (e) => e.getBoundingClientRect();
const seen = (e) => e.getClientRects().length > 0;
"""
# Texts of the drawings that are seen: which are cut by their drawing, and which meet.
TEXTS = f"""(() => {{ {MEET}
  const faults = [];
  let count = 0;
  for (const svg of document.querySelectorAll("svg")) {{
    if (!seen(svg) || svg.parentElement.closest("svg")) continue;
    const frame = box(svg);
    const texts = [...svg.querySelectorAll("text")]
      .filter((e) => seen(e) && e.textContent.trim())
      .map((e) => [e.textContent, box(e)]);
    count += texts.length;
    texts.forEach(([one, a], place) => {{
      const sideways = a.left < frame.left - 1 || a.right > frame.right + 1;
      if (sideways || a.top < frame.top - 1 || a.bottom > frame.bottom + 1)
        faults.push(`${{one}} is cut`);
      for (const [other, b] of texts.slice(0, place))
        if (meet(a, b, 0.5, 3)) faults.push(`${{one}} on ${{other}}`);
    }});
  }}
  return {{ count, faults }};
}})()"""
# What is wider than the window, but for what scrolls in a box of its own.
WIDE = f"""(() => {{ {MEET}
  return [...document.querySelectorAll("body *")]
    .filter((e) => !e.closest(".scroll *") && !e.closest("svg svg") && seen(e))
    .filter((e) => box(e).right > document.documentElement.clientWidth + 1)
    .map((e) => e.tagName + " " + (e.id || e.getAttribute("class")));
}})()"""
# Words of tables that leave their cell.
CELLS = """
[...document.querySelectorAll("th, td")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent.trim())
"""


@pytest.fixture(scope="module")
def browser():
    with chromium.Browser() as opened:
        yield opened


def named(*suffixes):
    files = [Path(f"{STEM}{suffix}.json") for suffix in suffixes]
    return [results.Named(file.name, results.load(file)[0]) for file in files]


def small():
    """A result of now, with prices; and the same as another machine would have it."""
    keys = ["python.tuples", "cclass.polygon", "openmp.prange", "scanline.engine"]
    measured = driver.measure(keys, workload.polygon(8, (24, 32)), (24, 32), seconds=0)
    other = copy.deepcopy(measured)
    change(other.machine, cpu="Another Processor of a Long Name, 12345X @ 2.70GHz", cores=99)
    return [results.Named("here.json", measured), results.Named("there.json", other)]


def threads():
    (one,) = named("")
    found = []
    for count in (1, 2, 4, 8):
        result = copy.deepcopy(one.result)
        for row in result.rows:
            factor = 0.1 + 0.9 / count
            row.samples_s = [factor * sample for sample in row.samples_s]
            row.median_s *= factor
        found.append(result)
    sweep = Sweep(over="threads", values=[1, 2, 4, 8], results=found)
    return [results.Named("threads.json", sweep)]


PAGES = {
    "committed": lambda: named("", "-sweep-size", "-sweep-vertices"),
    "peers": lambda: named("-peers-1024-24", "-peers-8192-10000"),
    "small": small,
    "threads": threads,
}


@pytest.fixture(scope="module", params=PAGES)
def address(request, tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    page.write(PAGES[request.param](), file)
    return file.as_uri()


@pytest.fixture(scope="module")
def committed(tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "page.html"
    page.write(PAGES["committed"](), file)
    return file.as_uri()


@pytest.mark.parametrize("width", [PHONE, TABLET, DESK])
def test_nothing_is_cut_and_nothing_lies_on_something_else(browser, address, width):
    browser.open(address, width, phone=width == PHONE)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(WIDE) == []
    texts = browser.evaluate(TEXTS)
    assert texts["faults"] == []
    assert texts["count"] > 1 or "peers" in address  # libraries have tables only
    assert browser.evaluate(CELLS) == []


def test_page_complains_of_nothing_and_asks_for_nothing(browser, address):
    del browser.complaints[:], browser.requests[:]
    browser.open(address)
    browser.wait_for("[...document.images].every((image) => image.complete)")
    assert browser.complaints == []
    asked = [request for request in browser.requests if not request.startswith("data:")]
    assert asked == [address]


@pytest.mark.parametrize("width", [PHONE, TABLET, DESK])
def test_each_chart_is_shown_once_and_its_words_can_be_read(browser, address, width):
    browser.open(address, width, phone=width == PHONE)
    shown = browser.evaluate("""[...document.querySelectorAll("figure .chart")]
      .filter((e) => e.getClientRects().length)
      .map((e) => [e.id || e.firstElementChild.nextElementSibling.id, e.getAttribute("class"),
        e.getBoundingClientRect().width / e.viewBox.baseVal.width])""")
    charts = browser.evaluate("""[...document.querySelectorAll("figure")]
      .filter((e) => e.querySelector(".chart")).length""")
    assert len(shown) == charts
    kind = "chart narrow" if width == PHONE else "chart wide"
    assert {name for _, name, _ in shown} <= {kind, "chart polygon"}
    # letters of 10 pixels and more, in the drawing
    assert all(scale > 0.65 for _, _, scale in shown)


def column(browser, heading):
    """Return the texts of a column of the speed-up table, and its place."""
    place = browser.evaluate(
        "[...document.querySelectorAll('.speedups thead th')]"
        f".findIndex((e) => e.textContent.startsWith({json.dumps(heading)}))"
    )
    return place, browser.evaluate(
        "[...document.querySelectorAll('.speedups tbody tr')]"
        f".map((row) => row.cells[{place}].dataset.value)"
    )


def test_a_click_on_a_heading_sorts_upwards_downwards_and_back(browser, committed):
    browser.open(committed)
    place, ladder = column(browser, "time")
    click = f"document.querySelectorAll('.speedups thead button')[{place}].click()"
    state = f"document.querySelectorAll('.speedups thead th')[{place}].ariaSort"
    browser.evaluate(click)
    assert [float(v) for v in column(browser, "time")[1]] == sorted(map(float, ladder))
    assert browser.evaluate(state) == "ascending"
    browser.evaluate(click)
    assert [float(v) for v in column(browser, "time")[1]] == sorted(map(float, ladder))[::-1]
    assert browser.evaluate(state) == "descending"
    browser.evaluate(click)
    assert column(browser, "time")[1] == ladder
    assert browser.evaluate(state) is None


def test_rows_without_a_value_come_last_either_way(browser, committed):
    browser.open(committed)
    place, _ = column(browser, "course: speed-up".partition(" ")[0])
    for _ in range(2):
        browser.evaluate(f"document.querySelectorAll('.speedups thead button')[{place}].click()")
        values = column(browser, "course:")[1]
        missing = values.index("")
        assert missing > 3
        assert set(values[missing:]) == {""}


def test_headings_are_reached_and_pressed_by_the_keyboard(browser, committed):
    browser.open(committed)
    browser.evaluate("document.querySelector('.speedups thead button').focus()")
    for kind in ("keyDown", "keyUp"):
        browser.send("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r")
    assert browser.evaluate("document.querySelector('.speedups th').ariaSort") == "ascending"


def test_on_a_phone_the_verdict_is_in_view_and_its_words_are_whole(browser, tmp_path):
    file = tmp_path / "page.html"
    here, there = small()
    there.result.machine.cpu = here.result.machine.cpu
    there.result.machine.cores = here.result.machine.cores
    there.result.machine.flags = None
    page.write([here, there], file)
    browser.open(file.as_uri(), PHONE, phone=True)
    verdict = "[...document.querySelectorAll('.pair th')].find((e) => e.textContent === 'verdict')"
    assert browser.evaluate(f"{verdict}.getBoundingClientRect().right") <= PHONE
    known = "e.textContent === 'none, or not known'"
    cell = f"[...document.querySelectorAll('.pair td')].find((e) => {known})"
    # each word on one line: a range over it has one box
    assert browser.evaluate(f"""(() => {{
      const text = {cell}.firstChild, range = document.createRange();
      range.setStart(text, 13);
      range.setEnd(text, 18);
      return [range.toString(), range.getClientRects().length];
    }})()""") == ["known", 1]


def test_on_paper_a_heading_stays_with_its_chart(browser, committed):
    """A heading, and words that lead to a list, do not end a page."""
    browser.open(committed)
    browser.media("print")
    try:
        rule = "(e) => getComputedStyle(e).breakAfter"
        leading = browser.evaluate(f"[...document.querySelectorAll('h2, h3, .before')].map({rule})")
        assert set(leading) == {"avoid"}
        inside = "[...document.querySelectorAll('.together')].map((e) => getComputedStyle(e))"
        assert set(browser.evaluate(f"{inside}.map((style) => style.breakInside)")) == {"avoid"}
    finally:
        browser.media()


DONE = "[...document.querySelectorAll('.lane .done')].map((e) => e.textContent)"
TIME = "document.querySelector('.race .time').textContent"


def press(browser, name):
    browser.evaluate(f"document.querySelector('.race .{name}').click()")


def test_the_race_moves_when_played_and_stops_when_paused(browser, committed):
    browser.open(committed)
    assert browser.evaluate("document.querySelector('.lanes').childElementCount") == 0
    browser.evaluate("document.querySelector('.race').scrollIntoView({behavior: 'instant'})")
    browser.wait_for("!document.querySelector('.race .controls').hidden")
    press(browser, "play")
    assert browser.evaluate("getComputedStyle(document.querySelector('.stills')).display") == "none"
    # the slow crawl, of the fast laps are counted
    browser.wait_for(f"/^row [1-9]/.test({DONE}[0])")
    browser.wait_for(f"/^[1-9][0-9,]{{3,}} masks/.test({DONE}[12])")
    press(browser, "play")
    stopped = browser.evaluate(TIME)
    frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    browser.evaluate(frames)
    assert browser.evaluate(TIME) == stopped
    press(browser, "restart")
    assert browser.evaluate(TIME) == "after 0 s"


def test_a_slower_clock_shows_the_fast_ones(browser, committed):
    browser.open(committed)
    browser.evaluate("document.querySelector('.race').scrollIntoView({behavior: 'instant'})")
    browser.wait_for("!document.querySelector('.race .controls').hidden")
    browser.evaluate(
        "(() => { const clock = document.querySelector('.clock');"
        "clock.selectedIndex = clock.length - 1;"
        "clock.dispatchEvent(new Event('change')); })()"
    )
    press(browser, "play")
    browser.wait_for(f"/^row [1-9][0-9]* of 1024/.test({DONE}[12])")
    assert browser.evaluate(DONE)[0] == "row 0 of 1024"


def test_the_race_rests_out_of_view(browser, committed):
    browser.open(committed)
    browser.wait_for("!document.querySelector('.race .controls').hidden")
    browser.evaluate("document.querySelector('.race').scrollIntoView({behavior: 'instant'})")
    press(browser, "play")
    browser.wait_for(f"/^row [1-9]/.test({DONE}[0])")
    browser.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    # frames asked for after the page has noticed: none
    browser.evaluate(
        "new Promise((done) => new IntersectionObserver((e, o) => { o.disconnect(); done(); })"
        ".observe(document.querySelector('.race')))"
    )
    browser.evaluate(
        "(() => { window.asked = 0; const ask = requestAnimationFrame;"
        "window.requestAnimationFrame = (f) => { window.asked += 1; return ask(f); }; })()"
    )
    browser.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert browser.evaluate("window.asked") <= 1  # one that was on its way
    stopped = browser.evaluate(TIME)
    browser.evaluate("document.querySelector('.race').scrollIntoView({behavior: 'instant'})")
    browser.wait_for(f"{TIME} !== {json.dumps(stopped)}")


def test_without_javascript_there_are_table_and_stills(browser, committed):
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(committed)
        assert browser.evaluate("document.querySelectorAll('.speedups button').length") == 0
        assert browser.evaluate("document.querySelector('.controls').hidden")
        shown = "document.querySelector('.stills').getClientRects().length"
        assert browser.evaluate(shown) == 1
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_paper_gets_the_stills_even_after_the_race_was_played(browser, committed):
    browser.open(committed)
    browser.wait_for("!document.querySelector('.race .controls').hidden")
    press(browser, "play")
    browser.media("print")
    try:
        for name, shown in (("stills", True), ("lanes", False), ("controls", False)):
            rects = f"document.querySelector('.{name}').getClientRects().length"
            assert bool(browser.evaluate(rects)) == shown, name
    finally:
        browser.media()


def test_print_has_all_columns_on_its_paper(browser, committed, tmp_path):
    browser.open(committed)
    browser.pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")
    # A4 without its margins, in CSS pixels
    browser.open(committed, 702)
    browser.media("print")
    try:
        assert browser.evaluate("document.documentElement.scrollWidth") <= 702
        assert browser.evaluate(TEXTS)["faults"] == []
        wide = "[...document.querySelectorAll('table')].map((e) => e.getBoundingClientRect().right)"
        assert max(browser.evaluate(wide)) <= 702
    finally:
        browser.media()


# Contrast of two colours, and of what lies behind an element.
CONTRAST = """
const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
  .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const contrast = (a, b) => {
  const [less, more] = [light(a), light(b)].sort((x, y) => x - y);
  return (more + 0.05) / (less + 0.05);
};
const behind = (e) => {
  for (; e; e = e.parentElement) {
    const rgb = parts(getComputedStyle(e).backgroundColor);
    if (rgb.length === 3 || rgb[3] > 0) return rgb;
  }
  throw new Error("the page has no background");
};
"""
# Words, each with its contrast.
WORDS = f"""(() => {{ {CONTRAST}
  const words = [...document.querySelectorAll("body *")].filter((e) =>
    e.getClientRects().length && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()));
  return words.map((e) => {{
    const style = getComputedStyle(e);
    const colour = e.namespaceURI.endsWith("svg") ? style.fill : style.color;
    return [e.textContent.slice(0, 30), contrast(parts(colour), behind(e))];
  }});
}})()"""
# Shapes of drawings, each with the better contrast of its line and of what fills it; not those
# that are to be seen and no more, lines of a grid and the ground of a mask.
SHAPES = f"""(() => {{ {CONTRAST}
  const kinds = ".chart path, .chart use, .chart pattern rect, .stills rect";
  return [...document.querySelectorAll(kinds)].flatMap((e) => {{
    const hidden = !e.closest("svg").getClientRects().length;
    const part = e.closest("defs") && !e.matches("pattern rect");
    if (hidden || part || e.matches('[style*="--grid"], [style*="--tint"]')) return [];
    const style = getComputedStyle(e);
    const colours = [style.stroke, style.fill].filter((colour) => colour.startsWith("rgb"));
    if (!colours.length) return [];
    const name = (e.closest("g[id]") || e).id;
    return [[name, Math.max(...colours.map((colour) => contrast(parts(colour), behind(e))))]];
  }});
}})()"""
GRID = f"""(() => {{ {CONTRAST}
  return [...document.querySelectorAll('.chart [style*="--grid"]')].map((e) =>
    contrast(parts(getComputedStyle(e).stroke), behind(e)));
}})()"""
PAPER = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture(params=["light", "dark"])
def scheme(request, browser):
    browser.media(prefers_color_scheme=request.param)
    yield request.param
    browser.media()


def test_the_words_of_the_page_stand_out_from_it(browser, address, scheme):
    """Contrast of at least 4.5 to 1, on what lies behind them."""
    browser.open(address)
    found = browser.evaluate(WORDS)
    assert len(found) > 50
    assert [one for one in found if one[1] < 4.5] == []


def test_lines_and_shapes_of_drawings_stand_out_from_the_page(browser, address, scheme):
    """Contrast of at least 3 to 1; lines of a grid are to be seen, and no more."""
    browser.open(address)
    found = browser.evaluate(SHAPES)
    assert [one for one in found if one[1] < 3] == []
    assert len(found) > 50
    if "peers" not in address:  # libraries have tables only
        assert len(browser.evaluate(GRID)) > 4
        assert all(1.15 < ratio < 2 for ratio in browser.evaluate(GRID))


def test_the_mask_is_seen_in_its_picture(browser, committed, scheme):
    browser.open(committed)
    inside = f"rgb{polygon.INSIDE}"
    sheet = """getComputedStyle(document.querySelector('.chart [style*="--tint"]')).fill"""
    ratio = browser.evaluate(
        f"(() => {{ {CONTRAST} return contrast(parts('{inside}'), parts({sheet})); }})()"
    )
    assert ratio >= 3
    edge = """getComputedStyle(document.querySelector('.chart [id*="Quiver"] path')).fill"""
    for back in (f"'{inside}'", sheet):
        drawn = f"(() => {{ {CONTRAST} return contrast(parts({edge}), parts({back})); }})()"
        assert browser.evaluate(drawn) >= 3


def test_the_page_is_light_or_dark_as_its_reader_prefers_and_paper_is_light(browser, committed):
    colours = {}
    try:
        for name in ("light", "dark"):
            browser.media(prefers_color_scheme=name)
            browser.open(committed)
            colours[name] = browser.evaluate(PAPER)
        assert colours["light"] == "rgb(255, 255, 255)"
        assert sum(map(int, re.findall(r"\d+", colours["dark"]))) < 100
        browser.media("print", prefers_color_scheme="dark")
        assert browser.evaluate(PAPER) == colours["light"]
        assert browser.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
        assert [one for one in browser.evaluate(WORDS) if one[1] < 4.5] == []
    finally:
        browser.media()


def test_the_race_is_drawn_anew_when_the_scheme_changes(browser, committed):
    """The row at which a lane is, a line over the whole width, has the colour of words."""
    line = """(() => {
      const lane = document.querySelector(".lane canvas"), { width, height } = lane;
      const data = lane.getContext("2d").getImageData(0, 0, width, height).data;
      for (let y = 0; y < height; y += 1)
        if (data[4 * (y * width + 1) + 3] === 255 && data[4 * (y * width + width - 2) + 3] === 255)
          return `rgb(${data.slice(4 * (y * width + 1), 4 * (y * width + 1) + 3).join(", ")})`;
      return null;
    })()"""
    browser.media(prefers_color_scheme="light")
    try:
        browser.open(committed)
        browser.evaluate("document.querySelector('.race').scrollIntoView({behavior: 'instant'})")
        browser.wait_for("!document.querySelector('.race .controls').hidden")
        press(browser, "play")
        browser.wait_for(f"/^row [1-9]/.test({DONE}[0])")
        press(browser, "play")
        ink = "getComputedStyle(document.body).color"
        light = browser.evaluate(line)
        assert light == browser.evaluate(ink)
        browser.media(prefers_color_scheme="dark")
        browser.wait_for(f"{line} !== {json.dumps(light)}")
        assert browser.evaluate(line) == browser.evaluate(ink)
    finally:
        browser.media()
