"""Two clocks for a call on a GPU: the host's, and the device's."""

import time

import numpy as np

from polymask.cuda.cupy_library import cupy

WAIT = """
extern "C" __global__ void wait(unsigned long long nanoseconds)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < nanoseconds);
}
"""
LEAST_WAIT_S, MOST_WAIT_S = 50e-6, 5e-3


class Clocks:
    """The clocks of the current stream."""

    def __init__(self):
        cuda = cupy().cuda
        self.wait = cupy().RawModule(code=WAIT).get_function("wait")
        self.start, self.end = cuda.Event(), cuda.Event()
        self.elapsed_ms = cuda.get_elapsed_time

    def host(self, call):
        """Return the seconds from a call to the end of its work on the device."""
        synchronize()
        start = time.perf_counter()
        result = call()
        synchronize()
        seconds = time.perf_counter() - start
        del result  # its memory is freed outside the measurement
        return seconds

    def device(self, call, host_s):
        """Return the seconds that the device spends on a call which takes `host_s` in all.

        A kernel that waits keeps the device busy until the host has queued the work; otherwise the
        time between the two events would include the host's. A call that waits for the device
        itself, such as for the check of vertices, still includes that time.
        """
        nanoseconds = 1e9 * min(max(2 * host_s, LEAST_WAIT_S), MOST_WAIT_S)
        self.wait((1,), (1,), (np.uint64(nanoseconds),))
        self.start.record()
        result = call()
        self.end.record()
        self.end.synchronize()
        del result
        return 1e-3 * self.elapsed_ms(self.start, self.end)


def synchronize():
    """Wait for the current stream."""
    cupy().cuda.get_current_stream().synchronize()
