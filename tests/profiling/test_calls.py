"""`polymask profile`: the functions, how often they were called, and notes on them."""

import pstats
import re
import sys
import types

import pytest
from cases import says

from ladder import registry
from ladder.cli import profiles as command
from ladder.profiling import calls, twin
from ladder.registry import workload

SMALL = ("--size", "24")


def call_counts(stats, rung, name):
    """Return the number of calls to a function in the rung's file, as a list of one or none."""
    return [
        numbers[1]
        for (file, _, function), numbers in stats.stats.items()
        if file.endswith(rung.file) and function == name
    ]


def test_python_tuples_shows_its_calls_and_notes(polymask, tmp_path):
    code, out, _ = polymask("profile", "python.tuples", *SMALL)
    assert code == 0
    assert re.search(r"^ +576 .* inside_polygon +0_python/tuples.py:\d+", out, re.M)
    assert re.search(r"^- \w+ itself takes \d+ % of the time. It is called [\d,]+ times", out, re.M)
    stats = pstats.Stats(str(tmp_path / "python.tuples.prof"))
    assert call_counts(stats, registry.get("python.tuples"), "inside_polygon") == [576]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("nosuch",), 2, "no rung is called 'nosuch'"),
        (("python.tuples", "--set", "threads=2"), 2, "no option 'threads'"),
        (("python.tuples", "--out", "nowhere/x.prof"), 2, "there is no folder nowhere"),
    ],
)
def test_bad_input_is_named_in_a_line(polymask, arguments, code, message):
    exit_code, out, err = polymask("profile", *arguments)
    assert exit_code == code
    assert out == ""
    assert message in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_a_long_call_is_estimated_by_a_band():
    tuples = registry.get("python.tuples")
    wide = types.SimpleNamespace(vertices=workload.polygon(), shape=(100_000, 64))
    assert command.estimate_s(tuples, wide, {}) > 1  # although the estimate itself is quick
    empty = types.SimpleNamespace(vertices=workload.polygon(), shape=(0, 0))
    assert 0 < command.estimate_s(tuples, empty, {}) < 1


def test_an_empty_profile_is_reported(polymask, monkeypatch, tmp_path):
    """As with compiled rungs on Python 3.12; here the rung is compiled without hooks."""
    rung = registry.get("cclass.polygon")
    monkeypatch.setattr(twin, "build", lambda rung: rung.module().__file__)
    code, out, err = polymask("profile", rung.key, *SMALL)
    assert (code, out) == (1, "")
    assert says(err, "sees", "module")
    assert list(tmp_path.iterdir()) == []


def test_functions_are_named_as_readers_know_them():
    array = "<method 'reduce' of 'numpy.ufunc' objects>"
    assert calls.name_and_place(("~", 0, array)) == ("reduce of numpy.ufunc objects", "built in")
    assert calls.name_and_place(("~", 0, "<built-in method builtins.min>")) == ("min", "built in")
    assert calls.name_and_place(("1_cython/typed.pyx", 9, "f")) == ("f", "1_cython/typed.pyx:9")
    file = str(twin.ROOT / "0_python" / "tuples.py")
    assert calls.name_and_place((file, 3, "f")) == ("f", "0_python/tuples.py:3")
    assert calls.name_and_place(("/x/site-packages/numpy/a.py", 3, "f")) == ("f", "numpy/a.py:3")


def profile_of(**functions):
    """Fake a profile of functions in tuples.py: name to (number of calls, own seconds)."""
    file = str(twin.ROOT / registry.get("python.tuples").file)
    stats = {(file, 1, name): (n, n, own, own, {}) for name, (n, own) in functions.items()}
    total_s = sum(own for _, own in functions.values())
    count = sum(n for n, _ in functions.values())
    return types.SimpleNamespace(stats=stats, total_tt=total_s, total_calls=count)


def test_words_name_the_slowest_function_and_the_one_called_most():
    """The functions differ between versions of Python, so the numbers are fixed here."""
    rung = registry.get("python.tuples")
    profile = profile_of(inside_polygon=(576, 1.0), min=(13_000, 0.75), len=(1, 0.25))
    slowest, operators, busiest, price = calls.notice(rung, profile, clock_s=0.1)
    assert says(slowest, "inside_polygon", "50 %", "576 times")
    assert says(busiest, "min", "13,000 times", "38 %")
    assert says(operators, "cProfile", "functions")
    assert says(price, "2.00", "without", "100")
    note = calls.notice(rung, profile_of(min=(13_000, 0.75), len=(1, 0.25)), clock_s=1.0)[0]
    assert says(note, "min", "75 %", "13,000 times")


def profile_twin(key, shape):
    """Profile the twin of a compiled rung; skip if the profiler sees nothing."""
    rung = registry.get(key)
    try:
        return rung, calls.profile(rung, workload.polygon(shape=shape), shape, {})
    except registry.Unavailable as error:
        if sys.version_info[:2] != (3, 12):
            raise
        pytest.skip(str(error))


@pytest.mark.slow
def test_cython_compiled_calls_inside_polygon_once_a_pixel():
    """Count the 1,048,576 calls that the course states for an image of 1024 x 1024."""
    rung, stats = profile_twin("cython.compiled", (1024, 1024))
    assert call_counts(stats, rung, "inside_polygon") == [1_048_576]
    assert call_counts(stats, rung, "make_mask") == [1]
