"""Answers that offload: what their environment sees, and what it changes around them."""

import re

import pytest
from cases import says

HEAD = """
import numpy as np
from pathlib import Path
from polymask import offload

device = offload.devices[0]
stream = device.get_default_stream()
library = device.load_library(Path(__file__).with_name("double_it.c"))
"""
DOUBLED = """
def doubled(a):
    bound = stream.bind(a.copy())
    stream.invoke(library.double_it, bound, len(a))
    bound.update_host()
    stream.sync()
    return bound.array
"""


@pytest.fixture
def offloads(checked):
    """Check an answer of `double_it` with functions of its own; return what is wrong."""

    def run(text, check):
        return checked("double_it", check, text=HEAD + text, under={"offloaded": {}}).message

    return run


def test_a_device_does_nothing_before_somebody_waits_or_all_at_once(offloads):
    queued = """
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

def hasty(a):
    bound = stream.bind(a.copy())
    stream.invoke(library.double_it, bound, len(a))
    bound.update_host()
    return bound.array
"""
    check = """
    child.switch("offloaded", pace=offloading.LATE)
    assert answer.queued(np.arange(3.0)).tolist() == [7, 7, 7]
    assert answer.waited().tolist() == [7, 7, 7]
    child.switch("offloaded", pace=offloading.AT_ONCE)
    assert answer.hasty(np.arange(3.0)).tolist() == [0, 2, 4]
    """
    assert offloads(queued, check) == ""


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


def test_a_late_stream_waits_for_the_other_only_by_an_event(offloads):
    check = """
    child.switch("offloaded", pace=offloading.LATE)
    got, facts = child.observe(answer.shared, 1)
    assert got.tolist() == [2, 2, 2]
    (wait,) = offloading.notes(facts, "wait")
    assert wait["stream"] != wait["of"]
    assert answer.shared(0).tolist() != [2, 2, 2]  # not even the copy to the device was done
    """
    assert offloads(TWO, check) == ""


def test_commands_are_noted_in_order_with_their_bytes(offloads):
    told = """
def told(a):
    bound = stream.bind(a.copy())
    stream.invoke(library.double_it, bound, len(a))
    bound += bound
    bound.update_host()
    stream.sync()
    return bound.array
"""
    check = """
    a = np.arange(4.0)
    for pace in offloading.AT_ONCE, offloading.LATE:
        child.switch("offloaded", pace=pace)
        got, facts = child.observe(answer.told, a)
        assert (got == 4 * a).all()
        noted = offloading.notes(facts, "to_device", "kernel", "to_host", "host waits")
        kinds = ["to_device", "kernel", "kernel", "to_host", "host waits"]
        assert [note["what"] for note in noted] == kinds
        libraries = [note["library"] for note in noted if note["what"] == "kernel"]
        assert libraries == ["double_it", "array"]
        assert offloading.nbytes(facts, "to_device") == offloading.nbytes(facts, "to_host") == 32
    """
    assert offloads(told, check) == ""


def test_an_idle_device_runs_no_kernel(offloads):
    check = """
    a = np.arange(4.0)
    with child.switched("offloaded", idle=True):
        assert answer.doubled(a).tolist() == a.tolist()
    assert answer.doubled(a).tolist() == (2 * a).tolist()
    """
    assert offloads(DOUBLED, check) == ""


def test_what_a_kernel_writes_beyond_shows_though_the_memory_is_gone(offloads):
    beyond = """
def beyond(a, n):
    bound = stream.bind(a)
    stream.invoke(library.double_it, bound, n)
    stream.sync()
"""
    check = """
    for pace in offloading.AT_ONCE, offloading.LATE:
        child.switch("offloaded", pace=pace)
        assert child.observe(answer.beyond, np.ones(3), 3)[1]["offloaded"]["beyond"] == []
        found = child.observe(answer.beyond, np.ones(3), 4)[1]["offloaded"]["beyond"]
        assert [tuple(one) for one in found] == [(24, "behind the end")]
    """
    assert offloads(beyond, check) == ""


def test_a_missing_argument_is_a_null_pointer(offloads):
    short = "\ndef short(a):\n    stream.invoke(library.double_it, a)\n"
    said = offloads(short, "child.step('calling it')\nanswer.short(np.ones(3))")
    assert says(said, "crashed", "calling it", "signal 11")


def test_a_library_is_found_by_its_name_and_compiled_for_this_answer(offloads):
    cached = """
import os

def cached():
    device.load_library("double_it")
    return os.environ["XDG_CACHE_HOME"], os.getcwd(), len(os.listdir(os.environ["XDG_CACHE_HOME"]))
"""
    check = """
    cache, here, count = answer.cached()
    assert (cache, count) == (here + "/cache", 1)
    """
    assert offloads(cached, check) == ""


def test_what_the_compiler_says_of_a_kernel_is_told_without_our_paths(offloads):
    compiles = """
def compiles():
    text = Path(__file__).with_name("double_it.c").read_text()
    bad = Path(__file__).with_name("bad.c")
    bad.write_text(text.replace("*= 2", "*= two"))
    device.load_library(bad)
"""
    said = offloads(compiles, "answer.compiles()")
    assert says(said, "bad.c", "compiled")
    assert "‘two’ undeclared" in said or "undeclared identifier 'two'" in said
    assert "/source" not in said


def test_a_wrong_result_is_not_blamed_on_the_time(offloads):
    check = """
    for right in 2.0, 3.0:
        draw = lambda: ([np.ones(3)], np.full(3, right))
        offloading.observed(answer.doubled, draw, f"doubling to {right}")
    """
    assert re.search(r"doubling to 3\.0: .*expected 3\.0, got 2\.0$", offloads(DOUBLED, check))
