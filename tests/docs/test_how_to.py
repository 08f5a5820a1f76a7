"""The pictures of the how-to pages: they are current, and their descriptions have their numbers."""

import importlib.util
import re

import pytest
from checkouts import ROOT

from polymask.report.charts import drawing

PAGE = ROOT / "docs/how_to/climate_grid.md"
PICTURE = ROOT / "docs/pictures/cell_fractions.py"


@pytest.fixture
def picture():
    pytest.importorskip("matplotlib")
    spec = importlib.util.spec_from_file_location(PICTURE.stem, PICTURE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_of_cell_fractions_is_current(picture):
    """The versions of matplotlib differ in their paths, but not in the texts."""
    texts = [
        re.findall(r">([^<\n]+)</text>", svg)
        for svg in (PICTURE.with_suffix(".svg").read_text("utf-8"), drawing.svg(picture.draw()))
    ]
    assert len(texts[0]) == 2 + 18
    assert texts[0] == texts[1]


def test_the_description_has_the_numbers_of_the_picture(picture):
    inside, covered = picture.fractions().values()
    shown = 100 * covered[covered >= 0.01]
    description = re.search(r"!\[(.*?)\]", PAGE.read_text(encoding="utf-8"))[1]
    expected = [f"{inside.sum():.0f}", f"{shown.min():.0f}", f"{shown.max():.0f}"]
    expected.append(f"{covered.sum():.1f}")
    assert re.findall(r"[\d.]+(?= cells| %)", description) == expected
