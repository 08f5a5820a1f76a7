"""The exercises' own checks: their shared parts, and answers that look right."""

import re
import signal

import pytest

from ladder.workshop import exercises
from ladder.workshop.sandbox import child_handle
from ladder.workshop.student import check, messages

# A class that allocates memory, and a child without free memory


ANSWER = """
import os, signal
import numpy as np
kept = []

def killed(vertices):
    os.kill(os.getpid(), signal.SIGKILL)

def refused(vertices):
    raise ValueError("no")

def nothing(vertices):
    pass

def copied(vertices):
    return np.array(vertices)

def keeping(vertices):
    kept.append(vertices.copy())
"""


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("exhausted(answer.nothing, 'no memory', {})", "no MemoryError arrived: nothing was"),
        ("exhausted(answer.refused, 'no memory', {})", "another exception was raised"),
        ("exhausted(answer.killed, 'no memory', {9: 'NULL!'})", "^NULL!"),
        ("exhausted(answer.killed, 'no memory', {})", "MemoryError.*crashed"),
        ("exhausted(answer.copied, 'no memory', {})", "^$"),
        ("owned(answer.copied, 'a copy')", "^$"),
        ("owned(answer.nothing, 'a copy')", "100 polygons live at once, but take .*: each needs a"),
    ],
)
def test_the_memory_of_a_class_is_checked(check, message, run_check):
    result = run_check("vectorize", f"memory.check_{check}", text=ANSWER).message
    assert re.search(message, result), result


@pytest.mark.slow
def test_memory_that_stays_is_found(run_check):
    check = """
memory.MANY, memory.LARGE = 3, 3_000_000  # large enough that each is allocated by the system
memory.check_given_back(answer.copied, "who keeps it?")
memory.check_given_back(answer.keeping, "who keeps it?")
"""
    result = run_check("vectorize", check, text=ANSWER).message
    assert re.search(r"3 polygons were made and deleted.*: who keeps", result)


# Answers computed on the host


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "instead", "message"),
    [
        ("vector_add", "add = lambda a, b: a + b", "right, but no kernel was launched"),
        ("area", "area = lambda mask: int(mask.sum())", "right, but no ReductionKernel was"),
    ],
)
def test_answers_of_host_and_device_differ(name, instead, message, run_check):
    assert message in run_check(name, more=f"\n{instead}\n").message


BY_NAME = """
from pyopencl import enqueue_nd_range_kernel as enqueue

def add(h_a, h_b):
    kernel = cl.Program(context, KERNEL).build().add
    buffers = [cl.Buffer(context, cl.mem_flags.READ_WRITE, h.nbytes) for h in (h_a, h_b, h_a)]
    for d, h in zip(buffers, (h_a, h_b)):
        cl.enqueue_copy(queue, d, h)
    kernel.set_args(np.int32(len(h_a)), *buffers)
    enqueue(queue, kernel, (len(h_a),), None)
    h_sum = np.empty_like(h_a)
    cl.enqueue_copy(queue, h_sum, buffers[2])
    return h_sum
"""


@pytest.mark.slow
def test_a_kernel_may_be_launched_by_either_way(run_check):
    assert run_check("vector_add", more=BY_NAME).message == ""


# Device buffers with margins


DEVICE = {"buffers": {}, "launches": {}}
BUFFERS = """

def sent(h_sent):
    d_copied = cl.Buffer(context, cl.mem_flags.READ_WRITE, h_sent.nbytes)
    cl.enqueue_copy(queue, d_copied, h_sent)
    d_filled = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=h_sent)
    fetched = []
    for d_sent in d_copied, d_filled:
        h_got = np.empty_like(h_sent)
        cl.enqueue_copy(queue, h_got, d_sent)
        fetched.append((d_sent.size, h_got))
    return fetched

def beyond(first):
    text = "kernel void f(global int *a, const int first) { a[get_global_id(0) + first] = 7; }"
    d_array = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * 10)
    kernel = cl.Program(context, text).build().f
    kernel(queue, (11 + first,), None, d_array, np.int32(first)).wait()
"""


@pytest.mark.slow
def test_a_guarded_buffer_is_a_buffer(run_check):
    check = """
h_sent = np.arange(65, dtype=np.float32)
buffers, facts = child.observe(answer.sent, h_sent)
for size, h_got in buffers:
    assert size == h_sent.nbytes
    assert np.array_equal(h_got, h_sent)
device.check_margins(facts, "nothing is wrong")
"""
    assert run_check("vector_add", check, BUFFERS, under=DEVICE).message == ""


@pytest.mark.slow
@pytest.mark.parametrize(("first", "words"), [(0, "4 bytes past the end"), (-2, "before the beg")])
def test_a_write_beyond_a_buffer_is_found(first, words, run_check):
    check = f'device.check_margins(child.observe(answer.beyond, {first})[1], "here")'
    result = run_check("vector_add", check, BUFFERS, under=DEVICE).message
    assert re.search(f"here: the kernel wrote at least .*{words}.* of a buffer of 40 bytes", result)


@pytest.mark.parametrize(
    "heap",
    [
        "free(): invalid next size (fast)",
        "malloc(): corrupted top size",
        "double free or corruption (out)",
        "corrupted size vs. prev_size",
        "munmap_chunk(): invalid pointer",
    ],
)
def test_an_overwritten_heap_is_distinguished_from_other_aborts(heap):
    exercise = exercises.get("vector_add")
    for output, is_heap in ((f"hello\n{heap}\n", True), ("terminate called\n", False)):
        ended = child_handle.Ended(-signal.SIGABRT, output, False)
        message = messages.describe_end(child_handle.Stopped(ended, "adding", 9.0), exercise)
        assert message.startswith("it crashed while adding: Aborted (signal 6)")
        assert ("written past the end" in message) == is_heap


@pytest.mark.slow
def test_the_yellow_of_a_file_in_another_encoding_is_found(tmp_path):
    exercise = exercises.get("type")
    folder = tmp_path / exercise.directory
    folder.mkdir()
    text = "# -*- coding: latin-1 -*-\n# f\u00fcr\n" + exercise.solution(exercise.main)
    (folder / exercise.main).write_bytes(text.encode("latin-1"))
    outcome = check.check(exercise, tmp_path)
    assert outcome.correct, outcome.message
