"""Usual mistakes in the rule and in the scan of toggles, known by the masks that they make.

known_mistakes.json has them: for each rung, a text, its replacement, and what is wrong then. One
is the likely cause if no other makes the whole wrong mask.
"""

import json
from pathlib import Path

import numpy as np

from ladder.common.staleness import ROOT


def read():
    """Yield the text of a changed rung for each mistake, and the mistake."""
    table = Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
    for file, changes in json.loads(table).items():
        text = (ROOT / file).read_text(encoding="utf-8")
        yield from ((text.replace(old, new), mistake) for old, new, mistake in changes)


def of(case, got):
    """Return the mistake that makes a mask of a case; an empty text if none or several do."""
    found = {mistake for text, mistake in read() if np.array_equal(make_mask(text, case), got)}
    return found.pop() if len(found) == 1 else ""


def make_mask(text, case):
    """Return the mask that a rung's changed text makes, or None if it has none."""
    names = {"longer": getattr(case.vertices, "base", None)}  # with what C reads behind them
    exec(text, names)
    try:
        with np.errstate(all="ignore"):
            return names["make_mask"](case.vertices, case.shape, case.border_value)
    except (IndexError, TypeError):
        return None
