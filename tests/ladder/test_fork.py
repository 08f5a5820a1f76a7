"""A forked process: OpenMP's threads stayed with the parent, and a call that wants them would hang.

Each test is a program of its own, which the time-out ends if it hangs.
"""

import os
import subprocess
import sys

import pytest

from polymask.ladder import registry

THREADED = [rung.key for rung in registry.RUNGS if "threads" in rung.options]

PROGRAM = """
import json, multiprocessing, os, sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import polymask
from polymask.ladder import reference, registry, workload

SHAPE = (1080, 1920)  # large enough that threads pay
VERTICES = workload.polygon(100, SHAPE)
POINTS = np.random.default_rng(1).uniform(0, 1000, (5000, 2))


def public(threads):
    mask = polymask.polygon_mask(VERTICES, SHAPE, threads=threads)
    labels = polymask.label_mask([VERTICES], SHAPE, threads=threads)
    return mask, labels, polymask.contains(VERTICES, POINTS, threads=threads)


def of_rung(key, threads):
    return (registry.get(key).load()(VERTICES, SHAPE, threads=threads),)


def same(answers, right):
    return all(map(np.array_equal, answers, right))


CHILDREN = {
    "pool": lambda ask, n: multiprocessing.get_context("fork").Pool(2).map(ask, [n, n]),
    "executor": lambda ask, n: list(
        ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")).map(ask, [n, n])
    ),
}
"""


def outcome(program, *arguments):
    """Run the program with two threads; return what it printed."""
    ended = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", PROGRAM + program, *arguments],
        env=os.environ | {"OMP_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@pytest.fixture(autouse=True)
def needs_fork_and_openmp():
    """Skip where nothing could hang."""
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    try:
        registry.get("openmp.prange").load()
    except registry.Unavailable as unavailable:
        pytest.skip(f"openmp.prange: {unavailable}")


@pytest.mark.parametrize("threads", ["", "2"])
@pytest.mark.parametrize("way", ["pool", "executor"])
def test_the_public_functions_answer_in_a_forked_child(way, threads):
    """After the parent has used threads, by default and by wish."""
    program = """
way, threads = sys.argv[1], int(sys.argv[2] or 0) or None
right = public(2)
print(*(same(answers, right) for answers in CHILDREN[way](public, threads)))
"""
    assert outcome(program, way, threads) == "True True"


@pytest.mark.parametrize("key", THREADED)
def test_a_threaded_rung_answers_in_a_forked_child(key):
    program = """
ask = sys.argv[1]
right = of_rung(ask, 2)
child = os.fork()
if not child:
    os._exit(0 if same(of_rung(ask, 2), right) and registry.get(ask).threads(threads=2) == 1 else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert outcome(program, key) == "0"


def test_the_engine_answers_where_only_a_rung_of_openmp_ran_before_the_fork():
    """The engine is first imported in the child: it cannot know of the fork by itself."""
    program = """
of_rung("openmp.prange", 2)
assert "polymask._engine" not in sys.modules
right = (reference.mask(VERTICES, SHAPE), reference.mask(VERTICES, SHAPE))
child = os.fork()
if not child:
    os._exit(0 if same(public(None)[:2], right) else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert outcome(program) == "0"


def test_a_fresh_process_below_a_forked_one_has_its_threads_again():
    program = """
child = os.fork()
if not child:
    text = "from polymask.openmp import prange; raise SystemExit(prange.threads_used() != 2)"
    os.execv(sys.executable, [sys.executable, "-c", text])
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert outcome(program) == "0"


@pytest.mark.parametrize("key", ["opencl.pixels", "scanline.opencl"])
def test_a_device_of_the_parents_is_refused_in_a_forked_child(key):
    """Its driver's threads stayed with the parent: a command would wait for them for ever."""
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
