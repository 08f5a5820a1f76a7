"""Ctrl-C while a rung makes a mask that would take minutes: Python hears it, and the next works.

A timer that counts what the process computes sends the signal, so that other load does not matter:
to any thread, as the system does with Ctrl-C. How long it takes to be heard is told by two clocks,
the wall's and that of what the process computes, and the one that says less counts: the first knows
nothing of other load, the second nothing of how many threads compute.
"""

import os
import sys

import pytest
from fresh_python import run

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


def interrupted(key, size):
    done = run("-c", PROGRAM, key, *size, POLYMASK_OFFLOAD_DEVICES="host")
    assert (done.stdout, done.stderr) == ("stopped soon\nright soon\n", "")
    assert done.returncode == 0


@pytest.mark.proof
def test_a_long_mask_is_interrupted(rung):
    if not (rung.interpreted or rung.device or rung.key.startswith("scanline")):
        pytest.skip("compiled code hears Ctrl-C when it returns")
    if rung.device == "cuda":
        pytest.skip("its device computes, and ends what it has begun")
    interrupted(rung.key, CROSSINGS if rung.key.startswith("scanline") else PIXELS)
