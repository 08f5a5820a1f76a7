"""Streams: in order, asynchronous, and concurrent; events between them."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest

N = 1000


def test_commands_run_in_the_order_in_which_they_came(stream, kernels):
    a = np.zeros(N)
    bound = stream.bind(a)
    expected = 0.0
    for by in range(50):
        stream.invoke(kernels.add_to, bound, N, float(by))
        stream.invoke(kernels.double_it, bound, N)
        expected = 2 * (expected + by)
    bound.update_host()
    stream.sync()
    assert set(a) == {expected}


def test_invoke_returns_before_the_kernel_ends(stream, kernels, gate):
    a = np.ones(N)
    bound = stream.bind(a)
    stream.sync()
    gate.close(stream)
    before = stream.record()
    stream.invoke(kernels.double_it, bound, N)
    after = stream.record()
    assert not before.done()
    assert not after.done()
    gate.open()
    after.wait()
    assert before.done()
    assert after.done()
    bound.update_host()
    stream.sync()
    assert set(a) == {2.0}


@pytest.mark.usefixtures("late_copies")
def test_all_but_sync_returns_at_once(stream, kernels, gate):
    """Behind a closed gate, all commands can be given: none of them waits."""
    gate.close(stream)
    a = stream.bind(np.arange(4.0))
    b = (a + 1.0) * a - a.reverse()
    b **= 2.0
    b[1:3] = np.array([7.0, 8.0])
    c = stream.copy(np.ones((2, 2))).fillfrom(np.eye(2)).reshape(4)
    stream.invoke(kernels.double_it, c, 4)
    stream.deallocate_device_memory(stream.allocate_device_memory(100))
    b.update_host(), c.update_host()
    assert not stream.record().done()
    gate.open()
    stream.sync()
    x = np.arange(4.0)
    expected = ((x + 1) * x - x[::-1]) ** 2
    expected[1:3] = 7, 8
    np.testing.assert_array_equal(b.array, expected)
    np.testing.assert_array_equal(c.array, [2, 0, 0, 2])


def test_another_stream_goes_on_while_one_is_held(stream, device, doubles, gate):
    gate.close(stream)
    event = stream.record()
    assert doubles(device.create_stream())
    assert not event.done()


# Events


def test_a_stream_waits_for_an_event_of_another(stream, device, kernels, gate):
    other = device.create_stream()
    a = np.ones(N)
    bound = stream.bind(a)
    stream.sync()
    gate.close(stream)
    stream.invoke(kernels.double_it, bound, N)
    event = stream.record()
    other.wait(event)
    other.invoke(kernels.add_to, bound, N, 1.0)
    after = other.record()
    assert not event.done()
    assert not after.done()
    gate.open()
    other.transfer_device2host(bound.pointer, a.ctypes.data, a.nbytes)
    other.sync()
    assert event.done()
    assert set(a) == {3.0}


def test_all_streams_that_wait_for_an_event_go_on(stream, device, kernels, gate):
    others = [device.create_stream() for _ in range(4)]
    for _ in range(10):
        gate.close(stream)
        event = stream.record()
        for other in others:
            other.wait(event)
        behind = [other.record() for other in others]
        gate.open()
        end = time.monotonic() + 20
        while not all(one.done() for one in behind) and time.monotonic() < end:
            time.sleep(0.001)  # waiting for an event would consume the one call that wakes a stream
        left = sum(not one.done() for one in behind)
        for _ in range(left):  # the end of each command wakes one forgotten stream
            stream.invoke(kernels.nothing)
            stream.sync()
        assert not left


# Threads


def test_two_threads_with_a_stream_each(device, kernels):
    """The same kernels at the same time: their arguments are not mixed up."""
    results, start = {}, threading.Barrier(2)

    def work(number):
        stream = device.create_stream()
        start.wait()
        a = np.full(N, float(number))
        bound = stream.bind(a)
        for _ in range(100):
            stream.invoke(kernels.add_to, bound, N, float(number))
            stream.invoke(kernels.double_it, stream.bind(np.ones(N)), N)
        bound.update_host()
        stream.sync()
        results[number] = set(a)

    threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {1: {101.0}, 2: {202.0}}


# Memory and streams


def others(stream, n):
    """Fill free memory with other numbers, through another stream."""
    arrays = [stream.bind(np.full(n, -1.0)) for _ in range(8)]
    stream.sync()
    return arrays


@pytest.mark.slow
@pytest.mark.usefixtures("late_copies")
@pytest.mark.parametrize("how", ["del", "release", "deallocate"])
def test_an_array_may_be_freed_while_it_is_in_flight(device, stream, kernels, gate, how):
    """The host's array, too, exists until the copy from it is done."""
    gate.close(stream)
    result = stream.zeros(N, update_host=False)
    a = np.full(N, 5.0)
    bound = stream.bind(a)
    stream.invoke(kernels.double_it, bound, N)
    stream.transfer_device2device(bound.pointer, result.pointer, a.nbytes)
    reference = weakref.ref(a)
    if how == "release":
        bound.release()
        bound.release()  # twice is harmless
    elif how == "deallocate":
        stream.deallocate_device_memory(bound.pointer)
    del a, bound
    gc.collect()
    assert reference() is not None
    kept = others(device.create_stream(), N)
    gate.open()
    result.update_host()
    stream.sync()
    assert set(result.array) == {10.0}
    del kept
    gc.collect()
    assert reference() is None


def test_a_stream_without_users_finishes_its_work(device, kernels):
    a = np.ones(N)
    stream = device.create_stream()
    bound = stream.bind(a)
    for _ in range(10):
        stream.invoke(kernels.double_it, bound, N)
    bound.update_host()
    del stream, bound
    gc.collect()
    assert set(a) == {1024.0}


def test_finished_arrays_are_released_without_sync(stream, kernels):
    """A program that never syncs does not use more and more memory."""
    for _ in range(200):
        stream.invoke(kernels.double_it, stream.bind(np.ones(8), update_device=False), 8)
        stream.record().wait()
    assert len(stream._kept) <= 2
