"""The pages in a real browser: each kind opens, and shows its pictures and its text."""

import chromium
import pytest
from pages import load
from seen import DESK, MEET, PHONE, WIDE

from ladder.report import columns

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.find() is None, reason="no Chromium on this machine"),
]
# Visible texts of drawings: those that their drawing cuts off, and those that overlap.
TEXTS = f"""(() => {{ {MEET}
  const faults = [];
  for (const svg of document.querySelectorAll("svg")) {{
    if (!seen(svg) || svg.parentElement.closest("svg")) continue;
    const frame = box(svg);
    const texts = [...svg.querySelectorAll("text")]
      .filter((e) => seen(e) && e.textContent.trim())
      .map((e) => [e.textContent, box(e)]);
    texts.forEach(([one, a], place) => {{
      const sideways = a.left < frame.left - 1 || a.right > frame.right + 1;
      if (sideways || a.top < frame.top - 1 || a.bottom > frame.bottom + 1)
        faults.push(`${{one}} is cut`);
      for (const [other, b] of texts.slice(0, place))
        if (meet(a, b, 0.5, 3)) faults.push(`${{one}} on ${{other}}`);
    }});
  }}
  return faults;
}})()"""
# The charts that are shown, and how many there are to show.
CHARTS = """[
  [...document.querySelectorAll("figure .chart")].filter((e) => e.getClientRects().length)
    .map((e) => e.getAttribute("class")),
  [...document.querySelectorAll("figure")].filter((e) => e.querySelector(".chart")).length,
]"""
DONE = "[...document.querySelectorAll('.lane .done')].map((e) => e.textContent)"


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_each_kind_of_page_opens_and_shows_each_chart_once(browser, address, width):
    del browser.complaints[:], browser.requests[:]
    browser.open(address, width, phone=width == PHONE)
    browser.wait_for("[...document.images].every((image) => image.complete)")
    assert browser.complaints == []
    requests = [request for request in browser.requests if not request.startswith("data:")]
    assert requests == [address]
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(WIDE) == []
    assert browser.evaluate(TEXTS) == []
    shown, count = browser.evaluate(CHARTS)
    assert len(shown) == count > 0
    assert set(shown) <= {"chart wide", "chart polygon"}


def test_the_race_moves_when_played_and_stops_when_paused(browser, page_url):
    browser.open(page_url)
    browser.wait_for("!document.querySelector('.race').hidden")
    browser.evaluate("document.querySelector('.race').scrollIntoView({behavior: 'instant'})")
    play = "document.querySelector('.race .play').click()"
    browser.evaluate(play)
    # slow rungs crawl; the laps of fast ones are counted
    browser.wait_for(f"/^row [1-9]/.test({DONE}[0])")
    browser.wait_for(f"/^[1-9][0-9,]{{3,}} masks/.test({DONE}[12])")
    browser.evaluate(play)
    time = browser.evaluate("document.querySelector('.race .time').textContent")
    frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    browser.evaluate(frames)
    assert browser.evaluate("document.querySelector('.race .time').textContent") == time


def test_the_table_shows_all_its_columns_on_request(browser, page_url):
    shown = "[...document.querySelectorAll('.speedups thead th')].filter((e) => e.offsetWidth)"
    headings = f"{shown}.map((e) => e.textContent.replace('\\n', ' '))"
    result = load().result
    everything = [column.heading for column in columns.select(result)]
    for width, few in (
        (PHONE, ["row", "time", "speed-up", "× before"]),
        (DESK, [column.heading for column in columns.select(result, all_columns=False)]),
    ):
        browser.open(page_url, width, phone=width == PHONE)
        assert browser.evaluate(headings) == few
        browser.evaluate("document.querySelector('main input').click()")
        assert browser.evaluate(headings) == everything
        assert len(everything) > len(few)
