"""The page to play with: its rule is the project's, and it works by mouse, touch and keyboard."""

import importlib.util
import json
import random
import subprocess

import chromium
import numpy as np
import pytest
from checkouts import ROOT
from seen import WIDE

from polymask import polygon_mask

COORDINATES = {
    "integers": lambda r, most: r.randrange(-1, most + 2),  # many vertices on sample points
    "halves": lambda r, most: r.randrange(-2, 2 * most + 3) / 2,
    "reals": lambda r, most: r.uniform(-1, most + 1),
    "huge": lambda r, most: r.choice([-1, 1]) * 10.0 ** r.randrange(150),
}


SPEC = importlib.util.spec_from_file_location("play_build", ROOT / "docs/play/build.py")
BUILD = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(BUILD)
needs_clang = pytest.mark.skipif(
    bool(BUILD.missing_tools()), reason=f"not found: {' '.join(BUILD.missing_tools())}"
)


def in_browser(test):
    """Mark a test that needs Chromium, which takes a second to start."""
    missing = pytest.mark.skipif(chromium.find() is None, reason="no Chromium on this machine")
    return pytest.mark.slow(missing(test))


@needs_clang
def test_the_committed_module_is_a_fresh_build(tmp_path):
    """Byte for byte with the same clang; the masks of any build are compared below."""
    version = subprocess.run(["clang", "-dumpversion"], capture_output=True, check=True).stdout
    committed = BUILD.MODULE.read_bytes()
    if version.strip() not in committed:
        pytest.skip(f"the committed module was built by another clang than {version.decode()}")
    BUILD.compile_module(tmp_path / "rule.wasm")
    assert (tmp_path / "rule.wasm").read_bytes() == committed


def test_the_page_is_one_file():
    page = BUILD.page()
    assert "/*{" not in page
    for other_file in ("src=", "href=", "import ", "fetch(", "url("):
        assert other_file not in page


@pytest.fixture(scope="module")
def browser():
    with chromium.Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    file = tmp_path_factory.mktemp("play") / "play.html"
    BUILD.main(str(file))
    return file.as_uri()


@pytest.fixture
def page(browser, address):
    browser.open(address)
    return browser


def polygons(kind, most):
    """Return 30 random polygons, of 3 to 12 vertices."""
    r = random.Random(kind)
    number = COORDINATES[kind]
    return [
        [[number(r, most), number(r, most)] for _ in range(r.randrange(3, 13))] for _ in range(30)
    ]


def same_masks(browser):
    """Compare the module's masks with the library's: many polygons, both border values."""
    for kind in COORDINATES:
        scenes = [
            (polygon, *shape, border)
            for polygon in polygons(kind, 20)
            for shape in ((17, 23), (8, 12))
            for border in (0, 1)
        ]
        masks = browser.evaluate(f"{json.dumps(scenes)}.map((scene) => [...rule.mask(...scene)])")
        for (polygon, rows, cols, border), mask in zip(scenes, masks, strict=True):
            expected = polygon_mask(polygon, (rows, cols), border_value=bool(border))
            assert np.array_equal(np.reshape(mask, (rows, cols)), expected), (polygon, border)


@in_browser
def test_masks_are_the_librarys(page):
    same_masks(page)


def shows_the_mask(page):
    """Whether the pixels that are drawn as inside are those of the library's mask."""
    inside = page.evaluate("""[...document.querySelectorAll("#image .pixel")].slice(0, 96)
      .map((e) => e.classList.contains("inside"))""")
    return np.array_equal(inside, polygon_mask(page.evaluate("state.polygon"), (8, 12)).ravel())


def place(page, index):
    """Return where a handle is in the window: 0 is the sample point, others are vertices."""
    return page.evaluate(f"""(() => {{
      const box = $("handles").children[{index}].getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }})()""")


def pixel(page):
    """Return the width of a pixel of the image in the window."""
    return page.evaluate("$('picture').getScreenCTM().a")


@in_browser
def test_a_vertex_is_dragged_by_mouse(page):
    (x, y), step = place(page, 3), pixel(page)
    for kind, dy in (
        ("mousePressed", 0),
        ("mouseMoved", 1.5),
        ("mouseReleased", 1.5),
        ("mouseMoved", 3),
    ):
        button = {"button": "left", "clickCount": 1}
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y + dy * step, **button)
    assert page.evaluate("state.polygon[2]") == [6, 5.5]
    assert shows_the_mask(page)


@in_browser
@pytest.mark.parametrize("width", [400, 1280])
def test_the_page_opens_and_nothing_is_too_wide(browser, address, width):
    del browser.complaints[:], browser.requests[:]
    browser.open(address, width, phone=width == 400)
    browser.evaluate("$('way').selectedIndex = 6; $('way').dispatchEvent(new Event('change'))")
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(WIDE) == []
    assert browser.complaints == []
    assert [url for url in browser.requests if not url.startswith("data:")] == [address]
