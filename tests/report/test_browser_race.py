"""The race of the page in a real browser: it moves, rests, and is drawn on paper too."""

import json

import chromium
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.find() is None, reason="no Chromium on this machine"),
]


DONE = "[...document.querySelectorAll('.lane .done')].map((e) => e.textContent)"
TIME = "document.querySelector('.race .time').textContent"


def press(browser, name):
    browser.evaluate(f"document.querySelector('.race .{name}').click()")


def test_the_race_moves_when_played_and_stops_when_paused(browser, page_url):
    browser.open(page_url)
    assert browser.evaluate("document.querySelector('.lanes').childElementCount") == 0
    browser.evaluate("document.querySelector('.race').scrollIntoView({behavior: 'instant'})")
    browser.wait_for("!document.querySelector('.race .controls').hidden")
    press(browser, "play")
    assert browser.evaluate("getComputedStyle(document.querySelector('.stills')).display") == "none"
    # slow rungs crawl; the laps of fast ones are counted
    browser.wait_for(f"/^row [1-9]/.test({DONE}[0])")
    browser.wait_for(f"/^[1-9][0-9,]{{3,}} masks/.test({DONE}[12])")
    press(browser, "play")
    time = browser.evaluate(TIME)
    frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    browser.evaluate(frames)
    assert browser.evaluate(TIME) == time
    press(browser, "restart")
    assert browser.evaluate(TIME) == "after 0 s"


def test_a_slower_clock_shows_the_fast_ones(browser, page_url):
    browser.open(page_url)
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


def test_the_race_rests_out_of_view(browser, page_url):
    browser.open(page_url)
    browser.wait_for("!document.querySelector('.race .controls').hidden")
    browser.evaluate("document.querySelector('.race').scrollIntoView({behavior: 'instant'})")
    press(browser, "play")
    browser.wait_for(f"/^row [1-9]/.test({DONE}[0])")
    browser.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    # no frames are requested after the page has noticed
    browser.evaluate(
        "new Promise((done) => new IntersectionObserver((e, o) => { o.disconnect(); done(); })"
        ".observe(document.querySelector('.race')))"
    )
    browser.evaluate(
        "(() => { window.asked = 0; const ask = requestAnimationFrame;"
        "window.requestAnimationFrame = (f) => { window.asked += 1; return ask(f); }; })()"
    )
    browser.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert browser.evaluate("window.asked") <= 1  # one may have been pending
    time = browser.evaluate(TIME)
    browser.evaluate("document.querySelector('.race').scrollIntoView({behavior: 'instant'})")
    browser.wait_for(f"{TIME} !== {json.dumps(time)}")


def test_paper_gets_the_stills_even_after_the_race_was_played(browser, page_url):
    browser.open(page_url)
    browser.wait_for("!document.querySelector('.race .controls').hidden")
    press(browser, "play")
    browser.media("print")
    try:
        for name, visible in (("stills", True), ("lanes", False), ("controls", False)):
            rects = f"document.querySelector('.{name}').getClientRects().length"
            assert bool(browser.evaluate(rects)) == visible, name
    finally:
        browser.media()


def test_the_race_is_redrawn_when_the_scheme_changes(browser, page_url):
    """The line at the current row of a lane, over the whole width, has the colour of words."""
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
        browser.open(page_url)
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
