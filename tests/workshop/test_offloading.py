"""Answers that offload: what their environment sees, and what it changes around them."""

import numpy as np
import pytest
from cases import says

from polymask.workshop import exercises
from polymask.workshop.sandbox import failures, offloading
from polymask.workshop.sandbox.wrong import Wrong
from polymask.workshop.student import words

PACES = None, offloading.AT_ONCE, offloading.LATE
HEAD = """
import numpy as np
from pathlib import Path
from polymask import offload

device = offload.devices[0]
stream = device.get_default_stream()
library = device.load_library(Path(__file__).with_name("double_it.c"))
"""


@pytest.fixture
def offloads(answer_of):
    """Start an answer of `double_it` with functions of its own."""
    return lambda text: answer_of("double_it", text=HEAD + text)


def test_a_late_device_does_nothing_before_somebody_waits(offloads):
    answer = offloads("""
class State:
    pass

def queued(a):
    State.bound = stream.bind(a.copy())
    State.bound.array[:] = 7  # before the copy is done
    State.bound.update_host()
    return State.bound.array.copy()

def waited():
    stream.sync()
    return State.bound.array
""")
    answer.switch("offloaded", pace=offloading.LATE)
    assert answer.queued(np.arange(3.0)).tolist() == [7, 7, 7]
    assert answer.waited().tolist() == [7, 7, 7]


TWO = """
def shared(waits):
    first, second = device.create_stream(), device.create_stream()
    a = first.bind(np.ones(3))
    first.invoke(library.double_it, a, 3)
    doubled = first.record()
    if waits:
        second.wait(doubled)
    a.assign_stream(second)
    a.update_host()
    second.sync()
    result = a.array.copy()
    first.sync()
    return result
"""


def test_a_hasty_device_has_done_all_when_a_call_returns(offloads):
    answer = offloads("""
def queued(a):
    bound = stream.bind(a.copy())
    stream.invoke(library.double_it, bound, len(a))
    bound.update_host()
    return bound.array
""")
    answer.switch("offloaded", pace=offloading.AT_ONCE)
    assert answer.queued(np.arange(3.0)).tolist() == [0, 2, 4]


def test_a_late_stream_waits_for_the_other_only_by_an_event(offloads):
    answer = offloads(TWO)
    answer.switch("offloaded", pace=offloading.LATE)
    got, facts = answer.observe("shared", 1)
    assert got.tolist() == [2, 2, 2]
    (wait,) = offloading.notes(facts, "wait")
    assert wait["stream"] != wait["of"]
    assert answer.shared(0).tolist() != [2, 2, 2]  # not even the copy to the device was done


def test_commands_are_noted_in_order_with_their_bytes(offloads):
    answer = offloads("""
def told(a):
    bound = stream.bind(a.copy())
    stream.invoke(library.double_it, bound, len(a))
    bound += bound
    bound.update_host()
    stream.sync()
    return bound.array
""")
    a = np.arange(4.0)
    for pace in PACES:
        answer.switch("offloaded", pace=pace)
        got, facts = answer.observe("told", a)
        assert (got == 4 * a).all()
        noted = offloading.notes(facts, "to_device", "kernel", "to_host", "host waits")
        kinds = ["to_device", "kernel", "kernel", "to_host", "host waits"]
        assert [note["what"] for note in noted] == kinds
        assert [note["library"] for note in noted if note["what"] == "kernel"] == [
            "double_it",
            "array",
        ]
        assert offloading.nbytes(facts, "to_device") == offloading.nbytes(facts, "to_host") == 32


def test_an_idle_device_runs_no_kernel(offloads):
    answer = offloads("""
def doubled(a):
    stream.invoke(library.double_it, a, len(a))
    return a
""")
    a = np.arange(4.0)
    answer.switch("offloaded", idle=True)
    assert answer.doubled(a).tolist() == a.tolist()
    answer.switch("offloaded")
    assert answer.doubled(a).tolist() == (2 * a).tolist()


@pytest.mark.parametrize("pace", PACES)
def test_what_a_kernel_writes_beyond_shows_though_the_memory_is_gone(offloads, pace):
    answer = offloads("""
def beyond(a, n):
    bound = stream.bind(a)
    stream.invoke(library.double_it, bound, n)
    stream.sync()
""")
    answer.switch("offloaded", pace=pace)
    assert answer.observe("beyond", np.ones(3), 3)[1]["found"]["offloaded"]["beyond"] == []
    found = answer.observe("beyond", np.ones(3), 4)[1]["found"]["offloaded"]["beyond"]
    assert [tuple(one) for one in found] == [(24, "behind the end")]


def test_a_missing_argument_is_a_null_pointer(offloads):
    answer = offloads("""
def short(a):
    stream.invoke(library.double_it, a)
""")
    answer.doing("calling it")
    with pytest.raises(failures.Stopped) as stopped:
        answer.short(np.ones(3))
    assert stopped.value.ended.code == -11


def test_a_library_is_found_by_its_name_and_compiled_for_this_answer(offloads):
    answer = offloads("""
import os

def cached():
    device.load_library("double_it")
    return os.environ["XDG_CACHE_HOME"], len(os.listdir(os.environ["XDG_CACHE_HOME"]))
""")
    cache, count = answer.cached()
    assert cache == str(answer.begun().place / "cache")
    assert count == 1


def test_what_the_compiler_says_of_a_kernel_is_told_without_our_paths(offloads):
    answer = offloads("""
def compiles():
    text = Path(__file__).with_name("double_it.c").read_text()
    bad = Path(__file__).with_name("bad.c")
    bad.write_text(text.replace("*= 2", "*= two"))
    device.load_library(bad)
""")
    with pytest.raises(failures.Failed) as failed:
        answer.compiles()
    source = answer.begun().source
    said = words.raised(failed.value.said, exercises.get("double_it"), source)
    assert says(said, "bad.c", "compiled")
    assert "‘two’ undeclared" in said or "undeclared identifier 'two'" in said
    assert str(source) not in said


def test_a_wrong_result_is_not_blamed_on_the_time(offloads):
    right = offloads("""
def doubled(a):
    bound = stream.bind(a.copy())
    stream.invoke(library.double_it, bound, len(a))
    bound.update_host()
    stream.sync()
    return bound.array
""")
    offloading.observed(right, "doubled", lambda: ([np.ones(3)], np.full(3, 2.0)), "doubling")
    with pytest.raises(Wrong, match=r"expected 3\.0, got 2\.0$"):
        offloading.observed(right, "doubled", lambda: ([np.ones(3)], np.full(3, 3.0)), "doubling")
