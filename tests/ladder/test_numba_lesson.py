"""Lesson 6 is correct about Numba's threads and types."""

import inspect
import re

import numpy as np
import pytest
from checkouts import ROOT
from fresh_python import run

from ladder.python import tuples

FOLDER = ROOT / "6_numba"
TEXT = (FOLDER / "README.md").read_text(encoding="utf-8")
COUNT = """
import numpy as np, rows_of_threads as picture
for loop in picture.LOOPS:
    threads = picture.threads_of(loop)
    print(len(set(threads)), 1 + np.count_nonzero(np.diff(threads)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("layer", ["omp", "workqueue"])
def test_each_thread_has_one_block_of_rows_unless_they_are_shared_by_hand(layer):
    """For the three strips of the picture: the number of threads, and of blocks of rows."""
    pytest.importorskip("numba")
    pytest.importorskip("matplotlib")
    environment = {"NUMBA_NUM_THREADS": "4", "NUMBA_THREADING_LAYER": layer}
    done = run("-c", COUNT, PYTHONPATH=str(FOLDER / "pictures"), **environment)
    if "No threading layer could be loaded" in done.stderr:
        pytest.skip(f"Numba has no {layer} here")
    assert done.stdout.splitlines() == ["4 4", "4 4", "4 64"], done.stderr


def test_a_variable_has_one_type_and_the_error_is_the_quoted_one():
    numba = pytest.importorskip("numba")

    @numba.njit
    def two_types(value):
        inside = "no"
        if value > 3:
            inside = value > 4
        return inside

    with pytest.raises(numba.TypingError) as raised:
        two_types(4)
    assert re.search(r"`(Cannot unify [^`]*)`", TEXT)[1] in str(raised.value)


def test_python_runs_what_numba_refuses():
    """The second exercise: None where the rule has False."""
    numba = pytest.importorskip("numba")
    text = inspect.getsource(tuples.inside_polygon)
    assert text.count("inside = False") == 1
    names = {}
    exec(text.replace("inside = False", "inside = None"), names)
    changed = names["inside_polygon"]
    assert changed(2.5, 2.5, [(0, 0), (9, 1), (2, 8)], True) is True
    with pytest.raises(numba.TypingError, match=r"not_\(none\)"):
        numba.njit(changed)(2.5, 2.5, np.array([(0.0, 0.0), (9.0, 1.0), (2.0, 8.0)]), True)
