"""The page in a real browser: on a phone, on a desk and on paper."""

import json

import chromium
import pytest
from pages import small
from seen import DESK, MEET, PHONE, TABLET, WIDE

from ladder.report.page import page

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.find() is None, reason="no Chromium on this machine"),
]


# Visible texts of drawings: those that their drawing cuts off, and those that overlap.
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


# Words of tables that overflow their cell.
CELLS = """
[...document.querySelectorAll("th, td")]
  .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent.trim())
"""


@pytest.mark.parametrize("width", [PHONE, TABLET, DESK])
def test_nothing_is_cut_and_nothing_lies_on_something_else(browser, address, width):
    browser.open(address, width, phone=width == PHONE)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(WIDE) == []
    texts = browser.evaluate(TEXTS)
    assert texts["faults"] == []
    assert texts["count"] > 1 or "peers" in address  # libraries have tables only
    assert browser.evaluate(CELLS) == []


@pytest.mark.parametrize("width", [DESK, 1800])
def test_on_a_desk_no_table_has_to_be_scrolled(browser, address, width):
    browser.open(address, width)
    wide = "[...document.querySelectorAll('.scroll')].filter((e) => e.scrollWidth > e.clientWidth)"
    assert browser.evaluate(f"{wide}.map((e) => e.innerText.slice(0, 40))") == []


@pytest.mark.parametrize("width", [PHONE, 400])
def test_on_a_phone_time_and_speedup_are_in_view(browser, address, width):
    browser.open(address, width, phone=True)
    headings = "[...document.querySelectorAll('.speedups thead th')]"
    for name in ("row", "time", "speed-up"):
        ends = browser.evaluate(
            f"{headings}.filter((e) => e.innerText.startsWith({json.dumps(name)}))"
            ".map((e) => e.getBoundingClientRect().right)"
        )
        assert ends or "peers" in address or "threads" in address  # which have none
        assert max(ends, default=0) <= width


def test_page_complains_of_nothing_and_asks_for_nothing(browser, address):
    del browser.complaints[:], browser.requests[:]
    browser.open(address)
    browser.wait_for("[...document.images].every((image) => image.complete)")
    assert browser.complaints == []
    requests = [request for request in browser.requests if not request.startswith("data:")]
    assert requests == [address]


@pytest.mark.parametrize("width", [PHONE, TABLET, DESK])
def test_each_chart_is_shown_once_and_its_words_can_be_read(browser, address, width):
    browser.open(address, width, phone=width == PHONE)
    drawings = browser.evaluate("""[...document.querySelectorAll("figure .chart")]
      .filter((e) => e.getClientRects().length)
      .map((e) => [e.id || e.firstElementChild.nextElementSibling.id, e.getAttribute("class"),
        e.getBoundingClientRect().width / e.viewBox.baseVal.width])""")
    charts = browser.evaluate("""[...document.querySelectorAll("figure")]
      .filter((e) => e.querySelector(".chart")).length""")
    assert len(drawings) == charts
    kind = "chart narrow" if width == PHONE else "chart wide"
    assert {name for _, name, _ in drawings} <= {kind, "chart polygon"}
    # letters of 10 pixels and more, in the drawing
    assert all(scale > 0.65 for _, _, scale in drawings)


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


def test_a_click_on_a_heading_sorts_upwards_downwards_and_back(browser, page_url):
    browser.open(page_url)
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


def test_rows_without_a_value_come_last_either_way(browser, page_url):
    browser.open(page_url)
    place, _ = column(browser, "course: speed-up".partition(" ")[0])
    for _ in range(2):
        browser.evaluate(f"document.querySelectorAll('.speedups thead button')[{place}].click()")
        values = column(browser, "course:")[1]
        first_empty = values.index("")
        assert first_empty > 3
        assert set(values[first_empty:]) == {""}


def test_headings_are_reached_and_pressed_by_the_keyboard(browser, page_url):
    browser.open(page_url)
    browser.evaluate("document.querySelector('.speedups thead button').focus()")
    for kind in ("keyDown", "keyUp"):
        browser.send("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r")
    assert browser.evaluate("document.querySelector('.speedups th').ariaSort") == "ascending"


def test_on_a_phone_the_verdict_is_in_view_and_its_words_are_whole(browser, tmp_path):
    file = tmp_path / "page.html"
    first, second = small()
    second.result.machine.cpu = first.result.machine.cpu
    second.result.machine.cores = first.result.machine.cores
    second.result.machine.flags = None
    page.write([first, second], file)
    browser.open(file.as_uri(), PHONE, phone=True)
    verdict = "[...document.querySelectorAll('.pair th')].find((e) => e.textContent === 'verdict')"
    assert browser.evaluate(f"{verdict}.getBoundingClientRect().right") <= PHONE
    condition = "e.textContent === 'none, or unknown'"
    cell = f"[...document.querySelectorAll('.pair td')].find((e) => {condition})"
    # each word on one line: a range over it has one box
    assert browser.evaluate(f"""(() => {{
      const text = {cell}.firstChild, range = document.createRange();
      range.setStart(text, 9);
      range.setEnd(text, 16);
      return [range.toString(), range.getClientRects().length];
    }})()""") == ["unknown", 1]


def test_on_paper_a_heading_stays_with_its_chart(browser, page_url):
    """Neither a heading nor words before a list are the last line of a page."""
    browser.open(page_url)
    browser.media("print")
    try:
        rule = "(e) => getComputedStyle(e).breakAfter"
        leading = browser.evaluate(f"[...document.querySelectorAll('h2, h3, .before')].map({rule})")
        assert set(leading) == {"avoid"}
        inside = "[...document.querySelectorAll('.together')].map((e) => getComputedStyle(e))"
        assert set(browser.evaluate(f"{inside}.map((style) => style.breakInside)")) == {"avoid"}
    finally:
        browser.media()


def test_without_javascript_there_are_table_and_stills(browser, page_url):
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(page_url)
        assert browser.evaluate("document.querySelectorAll('.speedups button').length") == 0
        assert browser.evaluate("document.querySelector('.controls').hidden")
        boxes = "document.querySelector('.stills').getClientRects().length"
        assert browser.evaluate(boxes) == 1
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


def test_print_has_all_columns_on_its_paper(browser, page_url, tmp_path):
    browser.open(page_url)
    browser.pdf(tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")
    # A4 without its margins, in CSS pixels
    browser.open(page_url, 702)
    browser.media("print")
    try:
        assert browser.evaluate("document.documentElement.scrollWidth") <= 702
        assert browser.evaluate(TEXTS)["faults"] == []
        wide = "[...document.querySelectorAll('table')].map((e) => e.getBoundingClientRect().right)"
        assert max(browser.evaluate(wide)) <= 702
    finally:
        browser.media()
