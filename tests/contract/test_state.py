"""Every rung: no call changes the result of another, not even in another thread."""

import functools
import sys
import threading
import time

import numpy as np
import pytest
from every_rung import SHAPE, TRIANGLE, assert_mask, rungs_where, small_or_larger

from ladder.registry import reference, workload


def test_same_mask_twice_and_between_other_polygons(make_mask):
    polygons = [workload.polygon(n, SHAPE, seed=n) for n in (3, 24, 5, 11)]
    shapes = [SHAPE, (5, 9), (13, 4), SHAPE]
    expected = [reference.by_rule(v, s) for v, s in zip(polygons, shapes, strict=True)]
    for i in (0, 0, 1, 0, 2, 3, 1, 3, 3, 0):
        assert_mask(make_mask(polygons[i], shapes[i]), expected[i])


def test_vertices_changed_in_place_give_the_new_mask(make_mask):
    vertices = TRIANGLE.copy()
    make_mask(vertices, SHAPE)
    vertices += 1
    assert_mask(make_mask(vertices, SHAPE), reference.by_rule(vertices, SHAPE))


def test_every_mask_is_a_fresh_array(make_mask):
    expected = reference.by_rule(TRIANGLE, SHAPE)
    first = make_mask(TRIANGLE, SHAPE)
    second = make_mask(TRIANGLE, SHAPE)
    assert not np.shares_memory(first, second)
    first[:] = 9
    assert_mask(second, expected)
    assert_mask(make_mask(TRIANGLE, SHAPE), expected)


@pytest.mark.parametrize(("larger", "rounds"), [((90, 121), 4), ((20, 30), 50)])
def test_four_threads_at_once(rung, make_mask, larger, rounds):
    """Large images overlap while pixels are computed, many small ones while calls are prepared."""
    shape = small_or_larger(rung, (3, 4), larger)
    polygons = [workload.polygon(24, shape, seed) for seed in range(4)]
    expected = [reference.mask(vertices, shape) for vertices in polygons]
    errors, start = [], threading.Barrier(4)

    def work(i):
        try:
            start.wait()
            for _ in range(rounds):
                assert_mask(make_mask(polygons[i], shape), expected[i])
        except BaseException as error:  # pytest does not fail for an exception in a thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # switch between threads as often as possible
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not errors, errors[0]


def is_kernel(rung):
    """Whether compiled code without Python objects computes the pixels."""
    return rung.device or rung.jit or (rung.compiled and not rung.key.startswith("cython."))


@pytest.mark.slow
@rungs_where(is_kernel)
def test_kernels_release_the_gil(make_mask):
    """Another thread runs while the pixels are computed."""
    shape, n, duration = (200, 300), 1000, 0
    while duration < 0.05:  # enough vertices to keep this rung busy for a while
        n *= 2
        vertices = np.random.default_rng(0).uniform(0, 200, (n, 2))
        work = functools.partial(make_mask, vertices, shape)
        duration = min(seconds_of(work) for _ in range(2))  # the first may compile something
    # the best of three: on a busy machine this thread may not run
    assert max(ticks_while(work) for _ in range(3)) >= 5


def seconds_of(work):
    """Return the duration of a call."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def ticks_while(work):
    """Return how often this thread runs while another one works."""
    done, ticks = [], 0
    interval = sys.getswitchinterval()
    sys.setswitchinterval(30)  # without a release, the GIL is kept to the end of the call
    try:
        thread = threading.Thread(target=lambda: done.append(work()))
        thread.start()
        while not done:
            time.sleep(0.001)
            ticks += not done
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    return ticks
