"""The colours of the page in a real browser, light and dark: everything stands out."""

import re

import chromium
import pytest
from seen import CONTRAST, WORDS

from ladder.report.charts import polygon

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.find() is None, reason="no Chromium on this machine"),
]


# Shapes of drawings, each with the better contrast of its line and its fill; except lines of
# grids and the background of masks, which need little contrast.
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
    """A contrast of at least 4.5 to 1 with their background."""
    browser.open(address)
    contrasts = browser.evaluate(WORDS)
    assert len(contrasts) > 50
    assert [c for c in contrasts if c[1] < 4.5] == []


def test_lines_and_shapes_of_drawings_stand_out_from_the_page(browser, address, scheme):
    """A contrast of at least 3 to 1; lines of grids are just visible."""
    browser.open(address)
    contrasts = browser.evaluate(SHAPES)
    assert [c for c in contrasts if c[1] < 3] == []
    assert len(contrasts) > 50
    if "peers" not in address:  # libraries have tables only
        assert len(browser.evaluate(GRID)) > 4
        assert all(1.15 < ratio < 2 for ratio in browser.evaluate(GRID))


def test_the_mask_is_seen_in_its_picture(browser, page_url, scheme):
    browser.open(page_url)
    inside = f"rgb{polygon.INSIDE}"
    sheet = """getComputedStyle(document.querySelector('.chart [style*="--tint"]')).fill"""
    ratio = browser.evaluate(
        f"(() => {{ {CONTRAST} return contrast(parts('{inside}'), parts({sheet})); }})()"
    )
    assert ratio >= 3
    edge = """getComputedStyle(document.querySelector('.chart [id*="Quiver"] path')).fill"""
    for back in (f"'{inside}'", sheet):
        script = f"(() => {{ {CONTRAST} return contrast(parts({edge}), parts({back})); }})()"
        assert browser.evaluate(script) >= 3


def test_the_page_is_light_or_dark_as_its_reader_prefers_and_paper_is_light(browser, page_url):
    colours = {}
    try:
        for name in ("light", "dark"):
            browser.media(prefers_color_scheme=name)
            browser.open(page_url)
            colours[name] = browser.evaluate(PAPER)
        assert colours["light"] == "rgb(255, 255, 255)"
        assert sum(map(int, re.findall(r"\d+", colours["dark"]))) < 100
        browser.media("print", prefers_color_scheme="dark")
        assert browser.evaluate(PAPER) == colours["light"]
        assert browser.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
        assert [c for c in browser.evaluate(WORDS) if c[1] < 4.5] == []
    finally:
        browser.media()
