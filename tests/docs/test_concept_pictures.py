"""Pictures in docs: they show what their scripts compute, and are described correctly."""

import importlib
import json
import platform
import re
import shutil

import pytest
from cases import folded
from checkouts import ROOT

PICTURES = ROOT / "docs/pictures"
TEXT = re.compile(r">([^<\n]+)</text>")


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


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
@folded("name", ["branches", "vector_units"])
def test_loops_are_measured_again(name, picture, monkeypatch):
    """Before they are timed, their masks are compared."""
    module = picture(name)
    if name == "vector_units":
        if platform.machine() not in ("x86_64", "AMD64"):
            pytest.skip("its loops are for x86-64")
        without_avx = {key: loop for key, loop in module.LOOPS.items() if loop[2] == "-msse2"}
        monkeypatch.setattr(module, "LOOPS", without_avx)
    monkeypatch.setattr(module, "ROUNDS", 1)
    assert module.measure()["ns"]


def test_only_the_order_of_the_rule_decides_all_pixels_on_the_edge(picture):
    rounding = picture("rounding")
    wrong = [rounding.correct(values).count(False) for values in rounding.crossings().values()]
    assert wrong == [0, 1, 10]
    drawn = (PICTURES / "rounding.svg").read_text(encoding="utf-8")
    for name, count in zip(rounding.crossings(), wrong, strict=True):
        assert f"{name}: {count} wrong" in drawn


def test_the_description_has_the_numbers_of_the_picture(picture):
    inside, covered = picture("cell_fractions").fractions().values()
    shown = 100 * covered[covered >= 0.01]
    text = description("cell_fractions", "how_to/climate_grid.md")
    expected = [f"{inside.sum():.0f}", f"{shown.min():.0f}", f"{shown.max():.0f}"]
    expected.append(f"{covered.sum():.1f}")
    assert re.findall(r"[\d.]+(?= cells| %)", text) == expected
