"""A table of kernels and their times, by the clock of the host."""

import time
from ctypes import c_int64

TEXT = """
kernel void loop(const long n, global volatile long *out)
{
    for (long i = 0; i < n; i++) *out = i;
}
"""


def latency(submit, repeats):
    """Return the shortest time, in seconds, from a call of `submit` to the end of its kernel.

    `submit()` submits a kernel and returns its event. Of repeats + 1 calls, the first is not timed.
    """
    submit().wait()
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        submit().wait()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def submission(submit, repeats):
    """Return the shortest time, in seconds, of a call of `submit` itself; the queue is empty."""
    submit().wait()
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        event = submit()
        seconds.append(time.perf_counter() - begin)
        event.wait()
    return min(seconds)


def table():
    """Print both times for loops of several lengths."""
    import dpctl
    from dpctl.memory import MemoryUSMShared
    from dpctl.program import create_program_from_source

    from ladder.devices import sycl

    queue = dpctl.SyclQueue(sycl.device(), property="in_order")
    kernel = create_program_from_source(queue, TEXT).get_sycl_kernel("loop")
    memory = MemoryUSMShared(8, queue=queue)
    for n in (1, 10_000, 1_000_000, 10_000_000):

        def submit(n=n):
            return queue.submit_async(kernel, [c_int64(n), memory], [1])

        times = [1e6 * function(submit, 20) for function in (latency, submission)]
        print(f"{n:10,} iterations: latency {times[0]:9.1f} µs, submission {times[1]:6.1f} µs")


if __name__ == "__main__":
    table()
