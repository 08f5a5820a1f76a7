"""Rungs in a forked process, which has no OpenMP threads: a call would hang.

Each test runs a program, which is stopped by the time-out if it hangs. The public functions are
tested in tests/library/test_fork_and_spawn.py.
"""

import os
import subprocess
import sys

import pytest

from ladder import registry

THREADED = [rung.key for rung in registry.RUNGS if "threads" in rung.options]

PROGRAM = """
import os, sys

import numpy as np
from ladder import registry
from ladder.registry import reference, workload

SHAPE = (1080, 1920)  # large enough to benefit from threads
VERTICES = workload.polygon(100, SHAPE)


def of_rung(key, threads):
    return registry.get(key).load()(VERTICES, SHAPE, threads=threads)
"""


def outcome(program, *arguments):
    """Run the program with two threads; return its output."""
    completed = subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore::DeprecationWarning",
            "-c",
            PROGRAM + program,
            *map(str, arguments),
        ],
        env=os.environ | {"OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    return completed.stdout.strip()


@pytest.fixture(autouse=True)
def needs_fork_and_openmp():
    """Skip if nothing could hang."""
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    try:
        registry.get("openmp.prange").load()
    except registry.Unavailable as unavailable:
        pytest.skip(f"openmp.prange: {unavailable}")


@pytest.mark.slow
@pytest.mark.parametrize("key", THREADED)
def test_a_threaded_rung_answers_in_a_forked_child(key):
    """With one thread, except in the engine, which starts its threads again."""
    program = """
key, team = sys.argv[1], int(sys.argv[2])
expected = of_rung(key, 2)
child = os.fork()
if not child:
    same = np.array_equal(of_rung(key, 2), expected)
    os._exit(0 if same and registry.get(key).threads(threads=2) == team else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert outcome(program, key, 2 if key == "scanline.threads" else 1) == "0"


@pytest.mark.parametrize("key", ["opencl.pixels", "scanline.opencl", "sycl.kernel"])
def test_a_device_of_the_parents_is_refused_in_a_forked_child(key):
    """Its driver's threads exist only in the parent: a command would wait for them forever."""
    try:
        registry.get(key).load()
    except registry.Unavailable as unavailable:
        pytest.skip(f"{key}: {unavailable}")
    program = """
make_mask = registry.get(sys.argv[1]).load()
make_mask(VERTICES, (20, 30))
child = os.fork()
if not child:
    try:
        make_mask(VERTICES, (20, 30))
    except registry.Unavailable as unavailable:
        os._exit(0 if "forked" in str(unavailable) else 3)
    os._exit(4)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert outcome(program, key) == "0"
