"""Pictures in docs: they show what their scripts compute, and are described correctly."""

import importlib
import json
import re

import pytest
from cases import folded
from checkouts import ROOT

PICTURES = ROOT / "docs/pictures"


@pytest.fixture
def picture(monkeypatch):
    """Return a function that imports the script of a picture."""
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(PICTURES)
    return importlib.import_module


def recorded(name):
    return json.loads((PICTURES / f"{name}.json").read_text(encoding="utf-8"))


def description(name, page):
    """Return the text alternative of a picture, from a page."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.search(rf"!\[([^\]]+)\]\(\.\./pictures/{name}\.svg\)", text)[1]


@folded("name", ["branches", "vector_units"])
def test_descriptions_have_the_recorded_times(name):
    text, times = description(name, f"concepts/{name}.md"), recorded(name)["ns"]
    if name == "branches":
        assert re.findall(r"(\d+) and (\d+)", text) == [
            tuple(f"{times[loop][order]:.0f}" for loop in times) for order in times["branches"]
        ]
    else:
        assert re.findall(r"\d+\.\d(?=[,.])(?! times)", text) == [
            f"{ns:.1f}" for ns in times.values()
        ]


def test_the_description_has_the_numbers_of_the_picture(picture):
    inside, covered = picture("cell_fractions").fractions().values()
    shown = 100 * covered[covered >= 0.01]
    text = description("cell_fractions", "how_to/climate_grid.md")
    expected = [f"{inside.sum():.0f}", f"{shown.min():.0f}", f"{shown.max():.0f}"]
    expected.append(f"{covered.sum():.1f}")
    assert re.findall(r"[\d.]+(?= cells| %)", text) == expected
