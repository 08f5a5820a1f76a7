"""`polymask profile`: the functions, how often they were called, and notes on them."""

import errno
import os
import pstats
import re
import sys
import types
from pathlib import Path

import pytest
from cases import says

from ladder import registry
from ladder.cli import profiles as command
from ladder.profiling import calls, twin
from ladder.registry import workload

SMALL = ("--size", "24")
TRIANGLE = [(0, 0), (6, 1), (2, 5)]


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


@pytest.mark.parametrize("columns", [80, 120])
def test_tables_fit_the_terminal(polymask, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("FORCE_COLOR", "1")
    _, out, _ = polymask("profile", "python.vectorized", *SMALL)
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]| +$", "", out, flags=re.M)
    assert re.search(r"vectorized\.py:\d+$", plain, re.M)
    assert max(map(len, plain.splitlines())) <= columns


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


def test_a_profile_that_cannot_be_written_leaves_the_old_one(polymask, tmp_path, monkeypatch):
    def fail(self, file):
        Path(file).write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    profile = tmp_path / "python.tuples.prof"
    profile.write_bytes(b"old")
    monkeypatch.setattr(pstats.Stats, "dump_stats", fail)
    code, _, err = polymask("profile", "python.tuples", *SMALL)
    assert (code, err.count("\n")) == (2, 1)
    assert f"cannot write {profile.name}: no space left on its disk" in err
    assert (profile.read_bytes(), os.listdir(tmp_path)) == (b"old", [profile.name])


def test_the_polygon_is_not_written_over(polymask, tmp_path, snapshot):
    polygon = tmp_path / "polygon.csv"
    polygon.write_text("1 1\n9 1\n5 9\n")
    arguments = ("profile", "python.tuples", "--size", 10, "--polygon", polygon)
    code, _, err = polymask(*arguments, "--out", polygon)
    assert (code, err.count("\n")) == (2, 1)
    assert f"{polygon} is read and would be overwritten: write to another file" in err
    assert polygon.read_text() == snapshot


@pytest.mark.slow
def test_code_compiled_with_numba_is_one_call_and_the_pipeline_is_named(polymask):
    pytest.importorskip("numba")
    code, out, _ = polymask("profile", "numba.njit", *SMALL)
    assert code == 0
    assert says(out, "`polymask", "pipeline`", "shows")
    assert "whole arrays" not in out


def test_long_profiles_are_announced(polymask, monkeypatch):
    monkeypatch.setattr(command, "estimate_s", lambda *_: 10.0)
    _, _, err = polymask("profile", "python.tuples", *SMALL)
    assert "about 25 s" in err


@pytest.mark.slow
def test_a_long_call_is_estimated_by_a_band():
    tuples = registry.get("python.tuples")
    wide = types.SimpleNamespace(vertices=workload.polygon(), shape=(100_000, 64))
    assert command.estimate_s(tuples, wide, {}) > 1  # although the estimate itself is quick
    empty = types.SimpleNamespace(vertices=workload.polygon(), shape=(0, 0))
    assert 0 < command.estimate_s(tuples, empty, {}) < 1


def test_where_the_profiler_sees_nothing_it_says_so(polymask, monkeypatch, tmp_path):
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


def test_words_name_the_slowest_function_and_the_one_called_most(fake_profile, snapshot):
    """The functions differ between versions of Python, so the numbers are fixed here."""
    rung = registry.get("python.tuples")
    profile = fake_profile(inside_polygon=(576, 1.0), min=(13_000, 0.75), len=(1, 0.25))
    slowest, operators, busiest, price = calls.notice(rung, profile, clock_s=0.1)
    assert slowest == snapshot
    assert busiest == snapshot
    assert says(operators, "cProfile", "functions")
    assert says(price, "2.00", "without", "100")
    note = calls.notice(rung, fake_profile(min=(13_000, 0.75), len=(1, 0.25)), clock_s=1.0)[0]
    assert note == snapshot


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


@pytest.mark.slow
def test_cython_typed_still_calls_once_a_pixel_and_the_class_does_not():
    rung, stats = profile_twin("cython.typed", (24, 32))
    assert call_counts(stats, rung, "inside_polygon") == [24 * 32]
    rung, stats = profile_twin("cclass.polygon", (24, 32))
    assert call_counts(stats, rung, "make_mask") == [1]
    assert call_counts(stats, rung, "inside_polygon") == []
