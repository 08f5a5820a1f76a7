"""Figures of concept pages: they show what their scripts compute now."""

import importlib.util

import numpy as np
from checkouts import ROOT

FOLDER = ROOT / "docs/pictures"


def script(name):
    """Return the module that draws a figure."""
    spec = importlib.util.spec_from_file_location(f"picture_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_the_order_of_the_rule_decides_all_pixels_on_the_edge():
    rounding = script("rounding")
    wrong = [rounding.correct(values).count(False) for values in rounding.crossings().values()]
    assert wrong == [0, 1, 10]
    picture = (FOLDER / "rounding.svg").read_text(encoding="utf-8")
    for name, count in zip(rounding.crossings(), wrong, strict=True):
        assert f"{name}: {count} wrong" in picture


def test_two_of_all_orders_lose_no_update():
    orders = script("orders")
    assert sorted(map(orders.result, orders.orders())) == [1] * 18 + [2] * 2


def test_the_star_winds_twice_around_its_middle():
    star = script("star")
    assert star.winding()[6, 6] == 2
    assert np.array_equal(star.winding() % 2, star.even_odd())


def test_the_recorded_threads_take_turns_only_with_the_gil():
    """Threads of rungs that hold the GIL never compute at the same time."""
    gil = script("gil")
    for key, (first, second) in gil.recorded().items():
        overlap = sum(
            max(0, min(end, stop) - max(begin, start))
            for begin, end in first
            for start, stop in second
        )
        share = overlap / gil.end((first, second))
        assert share > 0.9 if key == "cclass.polygon" else share < 0.02, key
