"""Answers that offload: what their environment observes and changes."""

import re

import pytest

HEAD = """
import numpy as np
from pathlib import Path
from ladder import offload

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
def error_of(run_check):
    """Check an answer to `double_it` with additional functions; return the message."""

    def run(text, check):
        return run_check("double_it", check, text=HEAD + text, under={"offloaded": {}}).message

    return run


def test_a_device_works_only_at_a_wait_or_at_once(error_of):
    queued = """
class State:
    pass

def queued(a):
    State.bound = stream.bind(a.copy())
    State.bound.array[:] = 7  # before the copy is made
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
    assert error_of(queued, check) == ""


def test_commands_are_noted_in_order_with_their_bytes(error_of):
    answer = """
def record(a):
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
        got, facts = child.observe(answer.record, a)
        assert (got == 4 * a).all()
        noted = offloading.notes(facts, "to_device", "kernel", "to_host", "host waits")
        kinds = ["to_device", "kernel", "kernel", "to_host", "host waits"]
        assert [note["what"] for note in noted] == kinds
        kernels = [note["kernel"] for note in noted if note["what"] == "kernel"]
        assert kernels[0] == "double_it"
        assert offloading.nbytes(facts, "to_device") == offloading.nbytes(facts, "to_host") == 32
    """
    assert error_of(answer, check) == ""


def test_a_wrong_result_is_not_blamed_on_the_time(error_of):
    check = """
    for right in 2.0, 3.0:
        draw = lambda: ([np.ones(3)], np.full(3, right))
        offloading.check_call(answer.doubled, draw, f"doubling to {right}")
    """
    assert re.search(r"doubling to 3\.0: .*expected 3\.0, got 2\.0$", error_of(DOUBLED, check))
