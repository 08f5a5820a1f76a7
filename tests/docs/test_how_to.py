"""The descriptions of pictures on how-to pages have the numbers of the pictures."""

import importlib.util
import re

import pytest
from checkouts import ROOT

PAGE = ROOT / "docs/how_to/climate_grid.md"
PICTURE = ROOT / "docs/pictures/cell_fractions.py"


@pytest.fixture
def picture():
    pytest.importorskip("matplotlib")
    spec = importlib.util.spec_from_file_location(PICTURE.stem, PICTURE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_description_has_the_numbers_of_the_picture(picture):
    inside, covered = picture.fractions().values()
    shown = 100 * covered[covered >= 0.01]
    description = re.search(r"!\[(.*?)\]", PAGE.read_text(encoding="utf-8"))[1]
    expected = [f"{inside.sum():.0f}", f"{shown.min():.0f}", f"{shown.max():.0f}"]
    expected.append(f"{covered.sum():.1f}")
    assert re.findall(r"[\d.]+(?= cells| %)", description) == expected
