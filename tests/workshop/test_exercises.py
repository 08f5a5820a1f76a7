"""The exercises' own checks: what they share, and answers that look right."""

import os
import random
import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from polymask.ladder import registry
from polymask.workshop import exercises
from polymask.workshop.author import verify
from polymask.workshop.sandbox import build, examine, memory, process
from polymask.workshop.sandbox.wrong import Wrong
from polymask.workshop.student import check

EVERY = exercises.every()
TITLE = 60  # columns that the table of `polymask workshop list` has for it


@pytest.mark.parametrize("exercise", EVERY, ids=lambda e: e.name)
def test_a_title_fits_a_table(exercise):
    assert 0 < len(exercise.title) <= TITLE


# A class that asks for memory, and a child in which there is none


def killed(vertices):
    os.kill(os.getpid(), signal.SIGKILL)


def refused(vertices):
    raise ValueError("no")


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda vertices: None, "no memory, and no MemoryError arrived: nothing was raised"),
        (refused, "something else was raised"),
        (killed, "NULL was written to"),
    ],
)
def test_where_there_is_no_memory_a_memory_error_is_asked_for(make, message):
    with pytest.raises(Wrong, match=message):
        memory.check_exhausted(make, "no memory", {signal.SIGKILL: "NULL was written to"})


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_crash_that_tells_nothing_is_called_one():
    with pytest.raises(Wrong, match="no memory, and no MemoryError arrived: the process crashed"):
        memory.check_exhausted(killed, "no memory", {})


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_copy_that_finds_no_memory_is_good():
    memory.check_exhausted(np.array, "no memory", {})


def test_memory_that_stays_is_found(monkeypatch):
    kept = []
    monkeypatch.setattr(memory, "MANY", 3)
    monkeypatch.setattr(memory, "LARGE", 3_000_000)  # so much that each asks the system for pages
    with pytest.raises(Wrong, match=r"3 polygons were made and deleted.*: who keeps"):
        memory.check_given_back(lambda vertices: kept.append(vertices.copy()), "who keeps it?")
    memory.check_given_back(np.copy, "who keeps it?")


# The file that setup.py compiles


def test_another_file_than_the_given_one_is_named_by_its_line(tmp_path, monkeypatch):
    exercise = exercises.get("setup")
    given = exercise.solution("tuples.py")
    (tmp_path / "source").mkdir()
    built = tmp_path / "source" / "tuples.py"
    monkeypatch.chdir(tmp_path)
    built.write_text(given, encoding="utf-8")
    examine.own(exercise).check(None, None)
    lines = given.splitlines()
    number = lines.index("    inside = False") + 1
    for texts in ([*lines[: number - 1], "    inside = 0", *lines[number:]], lines[: number - 1]):
        built.write_text("\n".join(texts) + "\n", encoding="utf-8")
        with pytest.raises(Wrong, match=rf"line {number} differs.*copy 0_python/tuples\.py"):
            examine.own(exercise).check(None, None)


# Answers that the host computed


def solved(name, monkeypatch):
    """Return an exercise and its solution, imported; skip where its device is missing."""
    exercise = exercises.get(name)
    try:
        registry.get(exercise.needs).load()
    except registry.Unavailable as unavailable:
        pytest.skip(str(unavailable))
    monkeypatch.setitem(sys.modules, exercise.module, None)  # put back afterwards
    return exercise, examine.load(exercise, exercises.ROOT / exercise.files[exercise.main])


def inverted(queue, d_mask, shape, pitch, group):
    """The answer of `rounding`, by the host."""
    import pyopencl as cl

    h_mask = np.empty(d_mask.size, np.uint8)
    cl.enqueue_copy(queue, h_mask, d_mask)
    h_mask.reshape(-1, pitch)[: shape[0], : shape[1]] ^= 1
    cl.enqueue_copy(queue, d_mask, h_mask)


@pytest.mark.parametrize(
    ("name", "instead", "kind"),
    [
        ("vector_add", {"add": lambda a, b: a + b}, "kernel"),
        ("elementwise", {"either": lambda a, b: a ^ b}, "ElementwiseKernel"),
        ("area", {"area": lambda mask: int(mask.sum())}, "ReductionKernel"),
        ("scan", {"fill": lambda t: np.bitwise_xor.accumulate(t, axis=1)}, "GenericScanKernel"),
        ("rounding", {"invert": inverted}, "kernel"),
    ],
)
def test_an_answer_of_the_host_is_told_from_one_of_the_device(name, instead, kind, monkeypatch):
    exercise, solution = solved(name, monkeypatch)
    answer = SimpleNamespace(**vars(solution) | instead)
    with pytest.raises(Wrong, match=f"the answer is right, but no {kind} was launched"):
        examine.own(exercise).check(answer, random.Random(1))


def test_a_kernel_may_be_launched_by_either_way(monkeypatch):
    exercise, solution = solved("vector_add", monkeypatch)
    import pyopencl as cl

    def add(h_a, h_b):
        """As the solution, but by a function that was imported by its name."""
        kernel = cl.Program(solution.context, solution.KERNEL).build().add
        buffers = [cl.Buffer(solution.context, cl.mem_flags.READ_WRITE, h.nbytes) for h in
                   (h_a, h_b, h_a)]  # fmt: skip
        for d, h in zip(buffers, (h_a, h_b), strict=False):
            cl.enqueue_copy(solution.queue, d, h)
        kernel.set_args(np.int32(len(h_a)), *buffers)
        answer.enqueue(solution.queue, kernel, (len(h_a),), None)
        h_sum = np.empty_like(h_a)
        cl.enqueue_copy(solution.queue, h_sum, buffers[2])
        return h_sum

    answer = SimpleNamespace(add=add, enqueue=cl.enqueue_nd_range_kernel)
    examine.own(exercise).check(answer, random.Random(1))
    assert answer.enqueue is cl.enqueue_nd_range_kernel  # what was counted is put back


def test_launches_are_put_back_after_an_error(monkeypatch):
    solved("vector_add", monkeypatch)
    import pyopencl as cl

    from polymask.workshop.sandbox.launches import Launches

    before = cl.Kernel.__call__, cl.enqueue_nd_range_kernel
    with pytest.raises(TypeError), Launches(cl.Kernel, SimpleNamespace()) as seen:
        cl.enqueue_nd_range_kernel("no queue")
    assert seen.number == 1
    assert (cl.Kernel.__call__, cl.enqueue_nd_range_kernel) == before


# What lesson 3, Try 4 says of an exception of C++


@pytest.mark.slow
@pytest.mark.parametrize("caught", [True, False])
def test_an_exception_of_cpp_becomes_one_of_python_by_except_plus(tmp_path, caught):
    exercise = exercises.get("cpp")
    texts = {name: exercise.solution(name) for name in exercise.files}
    checked, unchecked = "= contract.check_vertices(vertices)", "= vertices"
    texts["cpp.pyx"] = verify.exchange(
        texts["cpp.pyx"], exercises.Variation("unchecked", "cpp.pyx", checked, unchecked)
    )
    if not caught:
        texts["polygon.pxd"] = texts["polygon.pxd"].replace(" except +", "")
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    module = build.build(exercise, tmp_path, tmp_path / "build")
    call = "import numpy as np; from workshop.cpp import Polygon; Polygon(np.zeros((2, 2)))"
    command = [sys.executable, "-c", call]
    ended = subprocess.run(
        command, cwd=module.parent.parent, capture_output=True, text=True, check=False
    )
    last = ended.stderr.strip().splitlines()[-1]
    if caught:
        assert (ended.returncode, last) == (1, "ValueError: a polygon has 3 vertices or more")
    else:
        assert ended.returncode == -signal.SIGABRT
        assert "invalid_argument" in ended.stderr


@pytest.mark.slow
def test_a_memoryview_that_is_not_const_is_told_to_become_so(tmp_path):
    exercise = exercises.get("type")
    wrong = next(wrong for wrong in exercise.wrong if wrong.name == "the memoryview is not const")
    folder = tmp_path / exercise.directory
    folder.mkdir()
    text = verify.exchange(exercise.solution(wrong.file), wrong)
    (folder / wrong.file).write_text(text, encoding="utf-8")
    outcome = check.check(exercise, tmp_path)
    assert not outcome.passed
    assert "must be of the type `const double[:, ::1]`" in outcome.message


# Buffers of a device, with margins


def buffers(monkeypatch):
    """Return a context on a device, and the class; skip where there is none."""
    _, solution = solved("vector_add", monkeypatch)
    from polymask.workshop.sandbox.buffers import Buffers

    return solution.context, Buffers


def test_a_guarded_buffer_is_a_buffer(monkeypatch):
    context, guard = buffers(monkeypatch)
    import pyopencl as cl

    own, h_sent = cl.Buffer, np.arange(65, dtype=np.float32)
    queue = cl.CommandQueue(context)
    with guard() as guarded:
        d_copied = cl.Buffer(context, cl.mem_flags.READ_WRITE, h_sent.nbytes)
        cl.enqueue_copy(queue, d_copied, h_sent)
        d_filled = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=h_sent)
    assert cl.Buffer is own  # put back
    for d_sent in d_copied, d_filled:
        assert d_sent.size == h_sent.nbytes
        h_got = np.empty_like(h_sent)
        cl.enqueue_copy(queue, h_got, d_sent)
        assert np.array_equal(h_got, h_sent)
    guarded.check("nothing is wrong")


@pytest.mark.parametrize(
    ("first", "words"), [(0, "4 bytes behind the end"), (-2, "before the beg")]
)
def test_a_write_beyond_a_buffer_is_found(first, words, monkeypatch):
    context, guard = buffers(monkeypatch)
    import pyopencl as cl

    text = "kernel void f(global int *a, const int first) { a[get_global_id(0) + first] = 7; }"
    with guard() as guarded:
        d_array = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * 10)
    kernel = cl.Program(context, text).build().f
    kernel(cl.CommandQueue(context), (11 + first,), None, d_array, np.int32(first)).wait()
    with pytest.raises(Wrong, match=f"here: the kernel wrote .*{words}.* of a buffer of 40 bytes"):
        guarded.check("here")


@pytest.mark.parametrize(
    "words",
    [
        "free(): invalid next size (fast)",
        "malloc(): corrupted top size",
        "double free or corruption (out)",
        "corrupted size vs. prev_size",
        "munmap_chunk(): invalid pointer",
    ],
)
def test_an_overwritten_heap_is_told_from_another_abort(words):
    exercise = exercises.get("vector_add")
    for output, found in ((f"hello\n{words}\n", True), ("terminate called\n", False)):
        ended = process.Ended(-signal.SIGABRT, output, False)
        message = check.how_it_ended(ended, "adding", exercise, 9.0)
        assert message.startswith("it crashed while adding: Aborted (signal 6)")
        assert ("written beyond the end" in message) == found
