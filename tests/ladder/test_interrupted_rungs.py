"""Ctrl-C while a rung makes a mask that would take minutes: Python hears it, and the next works.

A timer that counts what the process computes sends the signal, so that other load does not matter:
to any thread, as the system does with Ctrl-C. How long it takes to be heard is told by two clocks,
the wall's and that of what the process computes, and the one that says less counts: the first knows
nothing of other load, the second nothing of how many threads compute.
"""

import _thread
import contextvars
import cProfile
import functools
import gc
import importlib
import itertools
import opcode
import operator
import os
import signal
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from cases import folded
from every_rung import SHAPE, TRIANGLE
from fresh_python import run

from polymask.common import interrupts
from polymask.ladder import registry

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such timer")

# The process has to end by itself, at once and well, whatever still computes what nobody waits for.
PROGRAM = """
import os, signal, sys, time
from polymask.ladder import reference, registry, workload

# A rung promises one. At a load of 7 on two processors (EPYC, 2026-11-25) none took more than 0.7,
# with the 0.2 before the signal; other load may stretch either clock.
MOST_S = 3

def clocks():
    return time.monotonic(), time.process_time()

def soon(begun):
    went_on = min(now - then for now, then in zip(clocks(), begun))
    return "soon" if went_on < MOST_S else f"after {went_on:.1f} s"

make_mask = registry.get(sys.argv[1]).load()
n, *shape = map(int, sys.argv[2:])
small = workload.polygon(9, (120, 130))
right = reference.mask(small, (120, 130))
assert (make_mask(small, (120, 130)) == right).all()
vertices = workload.polygon(n, shape)
signal.signal(signal.SIGPROF, signal.default_int_handler)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start us with it ignored
begun = clocks()
signal.setitimer(signal.ITIMER_PROF, 0.2)  # seconds of computing
try:
    make_mask(vertices, shape)
    print("it went on to its end")
except KeyboardInterrupt:
    print("stopped", soon(begun))
    begun = clocks()  # before the error goes, and with it what may wait for its work
assert (make_mask(small, (120, 130)) == right).all()
print("right", soon(begun))
"""
# Vertices, rows and columns of masks that take minutes and little memory: 2 * 10**11 pixels times
# edges for each core, of 20 at most, or 3 * 10**11 crossings in all. A core does
# some 10**9 in a second.
PIXELS = min(50_000 * os.cpu_count(), 10**6), 2000, 2000
CROSSINGS = 10**6, 10**6, 4
LONG_ROWS = 2000, 3, 5_000_000  # of which each row takes ten seconds, to who asks once a row
SHORT_ROWS = 20_000, 5_000_000, 3  # of which none takes long, to who asks once a long row


def interrupted(key, size):
    done = run("-c", PROGRAM, key, *size, POLYMASK_OFFLOAD_DEVICES="host")
    assert (done.stdout, done.stderr) == ("stopped soon\nright soon\n", "")
    assert done.returncode == 0


@pytest.mark.proof
def test_a_long_mask_is_interrupted(rung):
    if rung.device == "cuda":
        pytest.skip("its device computes, and ends what it has begun")
    interrupted(rung.key, CROSSINGS if rung.key.startswith("scanline") else PIXELS)


@pytest.mark.parametrize("key", ["cython.compiled", "cython.typed"])
@pytest.mark.parametrize("size", [LONG_ROWS, SHORT_ROWS], ids=["long", "short"])
def test_rows_of_any_length_are_interrupted(key, size):
    interrupted(key, size)


LONG = ([(0, 0), (1, 0), (0, 1)], (interrupts.LONG, 1))  # arguments of a mask that takes long


def where(*_arguments, **_options):
    """Return the system's number of the thread that makes a mask."""
    return threading.get_native_id()


@pytest.mark.usefixtures("interruptible")
def test_only_a_long_mask_has_another_thread():
    heeding, here = interrupts.ends_the_call()(where), where()
    vertices, shape = LONG
    assert heeding(vertices, (30, 30)) == here
    assert heeding(vertices, shape) != here
    assert heeding(vertices=vertices, shape=shape, threads=2) != here


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("kind", [list, np.array])
def test_flat_vertices_are_counted(kind):
    """Alone, or alone in a list: x, y, x, y, ..."""
    heeding, shape = interrupts.ends_the_call()(where), (interrupts.LONG // 6 + 1, 1)
    for flat in ([0, 0, 1, 0, 0, 1], [[0, 0, 1, 0, 0, 1]]):
        assert heeding(kind(flat), shape) != where()


@pytest.mark.usefixtures("interruptible")
@folded(
    "bad",
    [
        (),
        (None, None),
        ([], 5),
        ([], (5,)),
        ([], ("a", "b")),
        ([], (5, 6)),
        ([7], (5, 6)),
        (memoryview(np.zeros((1, 6))), (5, 6)),  # which has no first element
        (range(10**30), (5, 6)),  # which is longer than len() can say
    ],
)
def test_bad_input_is_left_to_the_rung(bad):
    assert interrupts.ends_the_call()(where)(*bad) == where()


@pytest.mark.usefixtures("interruptible")
def test_a_profiler_sees_what_is_called():
    heeding = interrupts.ends_the_call()(where)
    with cProfile.Profile():
        assert heeding(*LONG) == where()


@pytest.mark.usefixtures("interruptible")
def test_a_debugger_sees_what_is_called():
    """It may trace this thread alone."""
    heeding, before = interrupts.ends_the_call()(where), sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        assert heeding(*LONG) == where()
    finally:
        sys.settrace(before)


@pytest.mark.skipif(not hasattr(sys, "monitoring"), reason="as of Python 3.12")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("kind", ["DEBUGGER_ID", "COVERAGE_ID", "PROFILER_ID", "OPTIMIZER_ID"])
def test_a_tool_that_monitors_sees_what_is_called(kind):
    heeding, tool = interrupts.ends_the_call()(where), getattr(sys.monitoring, kind)
    sys.monitoring.use_tool_id(tool, "a test's")
    try:
        assert heeding(*LONG) == where()
    finally:
        sys.monitoring.free_tool_id(tool)


def test_where_ctrl_c_is_not_python_s_nothing_waits_for_it():
    heeding, before = (
        interrupts.ends_the_call()(where),
        signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert heeding(*LONG) == where()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_thread_that_hears_no_signals_computes_by_itself():
    heeding = interrupts.ends_the_call()(where)
    with ThreadPoolExecutor(1) as other:
        assert other.submit(heeding, *LONG).result() == other.submit(where).result()


@pytest.mark.usefixtures("interruptible")
def test_a_shape_that_can_be_read_once_is_left_to_the_rung():
    @interrupts.ends_the_call()
    def read(vertices, shape):
        return tuple(shape)

    assert read(LONG[0], iter(LONG[1])) == LONG[1]


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("alike", [None, lambda: int])
def test_an_error_in_the_other_thread_is_the_caller_s_and_keeps_nothing(alike):
    class Vertices(list):
        """A list to which a weak reference can point."""

    @interrupts.ends_the_call(alike)
    def fails(vertices, shape):
        raise MemoryError(f"no memory for {shape}")

    vertices = Vertices(LONG[0])
    kept = weakref.ref(vertices)
    gc.disable()
    try:
        with pytest.raises(MemoryError, match=f"no memory for .{interrupts.LONG}, 1") as told:
            fails(vertices, LONG[1])
        del told, vertices
        assert kept() is None
    finally:
        gc.enable()


class Interruption(BaseException):
    """What a signal's handler raises."""


class Interrupting:
    """A tracer that raises at one of the places where Python may run a signal's handler."""

    def __init__(self, number):
        self.left, self.before = number, {}

    def __call__(self, frame, event, _):
        frame.f_trace_opcodes = True
        if event != "opcode":
            return self
        name = opcode.opname[frame.f_code.co_code[frame.f_lasti]]
        before, self.before[frame] = self.before.get(frame, ""), name
        ended = before.startswith("CALL") or before == "RESUME"
        if ended or name in ("JUMP_BACKWARD", "JUMP_ABSOLUTE"):
            self.left -= 1
            if not self.left:
                raise Interruption
        return self


@pytest.mark.parametrize("prepare", [None, int])
def test_wherever_a_handler_raises_no_thread_and_no_lock_stays_behind(monkeypatch, prepare):
    monkeypatch.setattr(interrupts, "LOOK_S", 1e-3)  # so that it looks again
    sys._getframe().f_trace_opcodes = True  # else Python 3.12 traces none below

    def in_use():
        return _thread._count() - len(interrupts._idle)

    before = in_use()
    for number in itertools.count(1):
        before = min(before, in_use())  # a thread that an earlier test left may end at any time
        tracer = Interrupting(number)
        sys.settrace(tracer)
        try:
            interrupts._waited_for(lambda: time.sleep(5e-3), prepare)
        except Interruption:
            pass
        finally:
            sys.settrace(None)
        if tracer.left:  # there are no more places
            break
        end = time.monotonic() + 60
        while in_use() > before and time.monotonic() < end:
            time.sleep(1e-3)
        assert in_use() <= before, number
        assert interrupts._waited_for(lambda: "made", prepare) == "made"
    assert number > 10


@pytest.mark.usefixtures("interruptible")
def test_a_signal_as_the_thread_starts_leaves_none_behind(monkeypatch):
    """Its handler raises what it likes, be it a RuntimeError."""
    start, ended = _thread.start_new_thread, threading.Event()

    def started(work, arguments):
        start(lambda: (work(*arguments), ended.set()), ())
        raise RuntimeError("the handler's")

    monkeypatch.setattr(_thread, "start_new_thread", started)
    with pytest.raises(RuntimeError, match="the handler's"):
        interrupts.ends_the_call()(where)(*LONG)
    assert ended.wait(60)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_handler_that_forks_lets_both_processes_have_the_mask():
    program = """
import os, signal, threading, time, warnings
from polymask.common import interrupts

warnings.simplefilter("ignore")  # newer Pythons warn of a fork beside threads
forked = threading.Event()
children = []

def fork(*_):
    children.append(os.fork())
    forked.set()

@interrupts.ends_the_call()
def make_mask(vertices, shape):
    if not forked.is_set():
        os.kill(os.getpid(), signal.SIGINT)
    return forked.wait()

signal.signal(signal.SIGINT, fork)
assert make_mask([1, 2, 3], (interrupts.LONG, 1))
if not children[0]:
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]))
"""
    done = run("-c", program)
    assert (done.stdout, done.stderr) == ("7\n", "")


@pytest.mark.usefixtures("interruptible")
def test_where_no_thread_can_be_started_the_mask_is_made_all_the_same(monkeypatch):
    def refuse(work, arguments):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(_thread, "start_new_thread", refuse)
    assert interrupts.ends_the_call()(where)(*LONG) == where()


@pytest.mark.usefixtures("interruptible")
def test_what_the_main_thread_is_told_the_other_one_knows():
    """Its context, and how many threads there may be. The thread stays for the next call."""
    told, context = threading.local(), contextvars.ContextVar("context", default="none")
    told.threads = 3

    @interrupts.ends_the_call(lambda: functools.partial(setattr, told, "threads", told.threads))
    def seen(vertices, shape):
        return told.threads, context.get(), where()

    before = context.set("of the caller")  # NumPy 2 has what `errstate` says in one
    threads, known, first = seen(*LONG)
    assert (threads, known) == (3, "of the caller")
    context.reset(before)
    told.threads = 5
    threads, known, second = seen(*LONG)
    assert (threads, known) == (5, "none")
    assert first == second != where()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_starts_its_own():
    program = """
import os, signal, threading, warnings
from polymask.common import interrupts

warnings.simplefilter("ignore")  # newer Pythons warn of a fork beside threads
signal.signal(signal.SIGINT, signal.default_int_handler)
seen = interrupts.ends_the_call(lambda: int)(lambda *_: threading.get_native_id())
mask = [1, 2, 3], (interrupts.LONG, 1)
assert seen(*mask) == seen(*mask) != threading.get_native_id()
child = os.fork()
if not child:
    os._exit(0 if seen(*mask) != threading.get_native_id() else 1)
assert os.waitpid(child, 0)[1] == 0
print("both")
"""
    done = run("-c", program)
    assert (done.stdout, done.stderr) == ("both\n", "")


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("kind", "told"), [("openmp", "set_max_threads"), ("numba_threads", "numba.set_num_threads")]
)
def test_teams_are_alike_in_the_other_thread(kind, told):
    if kind == "numba_threads":
        pytest.importorskip("numba")
    module = importlib.import_module(f"polymask.devices.{kind}")
    tell, used = operator.attrgetter(told)(module), module.threads_used
    before = used()
    tell(1)
    try:
        assert interrupts.ends_the_call(module.alike)(lambda *_: used())(*LONG) == 1
    finally:
        tell(before)
    assert interrupts.ends_the_call(module.alike)(lambda *_: used())(*LONG) == before


@pytest.mark.usefixtures("interruptible")
@folded(
    ("key", "options", "kept"),
    [
        ("clib.points", {}, 0),
        ("openmp.prange", {}, 1),
        ("openmp.simd", {}, 1),
        ("openmp.simd", {"threads": 1}, 0),
        ("numba.prange", {"threads": 1}, 0),
        ("numba.guvectorize", {}, 1),
        ("numba.guvectorize", {"target": "cpu"}, 0),
        ("numba.vectorize", {}, 0),
        ("numba.vectorize", {"target": "parallel"}, 1),
    ],
)
def test_a_thread_is_kept_where_it_has_a_team(monkeypatch, key, options, kept):
    """Its niceness and affinity are those that the process had when it began, and a team's too."""
    try:
        make_mask = registry.get(key).load()
    except registry.Unavailable as missing:
        pytest.skip(str(missing))
    monkeypatch.setattr(interrupts, "LONG", 0)
    monkeypatch.setattr(interrupts, "_idle", [])
    make_mask(TRIANGLE, SHAPE, **options)
    assert len(interrupts._idle) == kept
    for tasks in interrupts._idle:
        interrupts.END(tasks)
