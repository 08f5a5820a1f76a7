"""The page of three styles in a real browser: side by side, and one below the other on a phone."""

import chromium
import pytest
from seen import DESK, PHONE, TABLET, WIDE, WORDS

from ladder.report.page import three_styles

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.find() is None, reason="no Chromium on this machine"),
]
COLUMNS = """[...document.querySelectorAll(".styles > section")].map((e) => {
  const box = e.getBoundingClientRect();
  return [box.left, box.top, box.width];
})"""
OPEN = """[...document.querySelectorAll("#loop details[open] summary strong")]
  .map((e) => e.textContent)"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    file = tmp_path_factory.mktemp("page") / "styles.html"
    three_styles.write(file)
    return file.as_uri()


@pytest.mark.parametrize("width", [PHONE, TABLET, DESK, 1800])
def test_nothing_is_wider_than_the_window(browser, address, width):
    del browser.complaints[:]  # of earlier pages
    browser.open(address, width, phone=width == PHONE)
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(WIDE) == []
    assert browser.complaints == []


@pytest.mark.parametrize(("width", "side_by_side"), [(PHONE, False), (TABLET, False), (DESK, True)])
def test_styles_are_side_by_side_where_there_is_room(browser, address, width, side_by_side):
    browser.open(address, width, phone=width == PHONE)
    lefts, tops, widths = zip(*browser.evaluate(COLUMNS), strict=True)
    assert len(set(tops)) == (1 if side_by_side else 3)
    assert len(set(lefts)) == (3 if side_by_side else 1)
    assert max(widths) - min(widths) < 1
    assert min(widths) > (350 if side_by_side else 0.85 * width)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_and_code_stand_out_in_light_and_dark(browser, address, scheme):
    browser.media(prefers_color_scheme=scheme)
    try:
        browser.open(address)
        contrasts = browser.evaluate(WORDS)
        assert len(contrasts) > 500
        assert [c for c in contrasts if c[1] < 4.5] == []
    finally:
        browser.media()


def test_a_rung_that_is_opened_closes_the_one_before(browser, address):
    browser.open(address)
    assert browser.evaluate(OPEN) == ["openmp.prange"]
    browser.evaluate("""document.querySelector("#loop details:not([open]) summary").click()""")
    browser.wait_for(f"({OPEN}).length === 1 && ({OPEN})[0] !== 'openmp.prange'")
