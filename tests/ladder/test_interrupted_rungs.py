"""Ctrl-C stops a rung that would take minutes, and the next mask is right.

A timer of the process's CPU time sends the signal, so that other load does not matter, and to any
thread, as the system does for Ctrl-C. The delay is measured with a wall clock and in CPU time, and
the shorter one counts: other load lengthens the first, several threads lengthen the second.
"""

import os
import sys

import pytest
from fresh_python import run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system has no such timer")

# The process must exit by itself, at once and successfully, even if threads are still computing.
PROGRAM = """
import os, signal, sys, time
from ladder import registry
from ladder.registry import reference, workload

# A rung promises one second. At a load of 7 on two processors (EPYC, 2026-11-25) all took at most
# 0.7, including the 0.2 before the signal; other load may lengthen both times.
MOST_S = 3

def clocks():
    return time.monotonic(), time.process_time()

def soon(start):
    delay = min(now - then for now, then in zip(clocks(), start))
    return "soon" if delay < MOST_S else f"after {delay:.1f} s"

make_mask = registry.get(sys.argv[1]).load()
n, *shape = map(int, sys.argv[2:])
small = workload.polygon(9, (120, 130))
expected = reference.mask(small, (120, 130))
assert (make_mask(small, (120, 130)) == expected).all()
vertices = workload.polygon(n, shape)
signal.signal(signal.SIGPROF, signal.default_int_handler)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have set it to be ignored
start = clocks()
signal.setitimer(signal.ITIMER_PROF, 0.2)  # seconds of CPU time
try:
    make_mask(vertices, shape)
    print("not stopped")
except KeyboardInterrupt:
    print("stopped", soon(start))
    start = clocks()  # before the error is freed, which may wait for the rest of the work
assert (make_mask(small, (120, 130)) == expected).all()
print("right", soon(start))
"""
# Vertices, rows and columns of masks that take minutes and little memory: pixels * edges =
# 2 * 10**11 for each of at most 20 cores, or 3 * 10**11 crossings in total. A core computes about
# 10**9 per second.
PIXELS = min(50_000 * os.cpu_count(), 10**6), 2000, 2000
CROSSINGS = 10**6, 10**6, 4


def check_interrupt(key, size):
    done = run("-c", PROGRAM, key, *size, POLYMASK_OFFLOAD_DEVICES="host")
    assert (done.stdout, done.stderr) == ("stopped soon\nright soon\n", "")
    assert done.returncode == 0


@pytest.mark.slow
def test_a_long_mask_is_interrupted(rung):
    by_engine = rung.key in ("scanline.engine", "scanline.threads")
    if not (rung.interpreted or rung.device or by_engine):
        pytest.skip("compiled code handles Ctrl-C when it returns")
    if rung.device == "cuda":
        pytest.skip("its device completes what it has started")
    check_interrupt(rung.key, CROSSINGS if rung.key.startswith("scanline") else PIXELS)
