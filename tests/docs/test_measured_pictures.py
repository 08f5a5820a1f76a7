"""Pictures of the concept pages on performance: they are complete, and described correctly."""

import importlib
import json
import platform
import re
import shutil

import numpy as np
import pytest
from cases import folded
from checkouts import ROOT

from polymask.report import results

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


def description(name):
    """Return the text alternative of a picture, from its page."""
    page = (ROOT / f"docs/concepts/{name}.md").read_text(encoding="utf-8")
    return re.search(rf"!\[([^\]]+)\]\(\.\./pictures/{name}\.svg\)", page)[1]


def test_the_roofline_has_every_rung(picture):
    rungs = results.load(picture("roofline").RESULT)[0].timed
    assert {text.strip() for text in TEXT.findall((PICTURES / "roofline.svg").read_text())} >= {
        *rungs
    }


def test_labels_are_spread_as_little_as_possible(picture):
    roofline = picture("roofline")
    step = roofline.LABEL_STEP
    tops = roofline.spread([1e6, 100, 100, 100, 1])
    np.testing.assert_allclose(tops, [1e6, 100 * step, 100, 100 / step, 1])


@folded("name", ["branches", "vector_units"])
def test_descriptions_have_the_recorded_times(name):
    text, times = description(name), recorded(name)["ns"]
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
