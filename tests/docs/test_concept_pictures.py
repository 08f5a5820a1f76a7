"""Pictures in docs: they show what their scripts compute, and are described correctly."""

import importlib
import json
import platform
import re
import shutil

import numpy as np
import pytest
from cases import folded
from checkouts import ROOT

from ladder.report import results

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


def test_the_roofline_has_every_rung(picture):
    rungs = results.load(picture("roofline").RESULT)[0].timed
    assert {text.strip() for text in TEXT.findall((PICTURES / "roofline.svg").read_text())} >= {
        *rungs
    }


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


def test_two_of_all_orders_lose_no_update(picture):
    orders = picture("orders")
    assert sorted(map(orders.result, orders.orders())) == [1] * 18 + [2] * 2


def test_the_star_winds_twice_around_its_middle(picture):
    star = picture("star")
    assert star.winding()[6, 6] == 2
    assert np.array_equal(star.winding() % 2, star.even_odd())


def test_the_recorded_threads_take_turns_only_with_the_gil(picture):
    """Threads of rungs that hold the GIL never compute at the same time."""
    gil = picture("gil")
    for key, (first, second) in gil.recorded().items():
        overlap = sum(
            max(0, min(end, stop) - max(begin, start))
            for begin, end in first
            for start, stop in second
        )
        share = overlap / gil.end((first, second))
        assert share > 0.9 if key == "cclass.polygon" else share < 0.02, key


def test_the_description_has_the_numbers_of_the_picture(picture):
    inside, covered = picture("cell_fractions").fractions().values()
    shown = 100 * covered[covered >= 0.01]
    text = description("cell_fractions", "how_to/climate_grid.md")
    expected = [f"{inside.sum():.0f}", f"{shown.min():.0f}", f"{shown.max():.0f}"]
    expected.append(f"{covered.sum():.1f}")
    assert re.findall(r"[\d.]+(?= cells| %)", text) == expected
