"""Makes events of its own, of copies and kernels, and reads their clocks itself."""

import threading

import numpy as np
import pyopencl as cl

from polymask.opencl import pixels
from polymask.workshop.sandbox.wrong import Wrong, same

HELD_S = 0.05  # a command that nothing else holds takes far less
PROFILING = cl.command_queue_properties.PROFILING_ENABLE
KERNEL = """
kernel void spin(const int n, global float *out)
{
    float s = get_global_id(0);
    for (int i = 0; i < n; i++)
        s = s * 0.5f + 1.0f;
    out[get_global_id(0)] = s;
}
"""
CLOCKS = {
    "queued": ("queued", "submit"),
    "submitted": ("submit", "start"),
    "running": ("start", "end"),
}


def check(module, random):
    """Raise `Wrong` at the first number that the event's clock does not say."""
    context = pixels.context()
    queue = module.profiling_queue(context)
    if not isinstance(queue, cl.CommandQueue) or not queue.properties & PROFILING:
        raise Wrong("profiling_queue returns no queue that was made with PROFILING_ENABLE")
    check_held(module, queue)
    for n_bytes in (random.randrange(10**3, 10**4), random.randrange(10**6, 10**7)):
        check_copy(module, queue, n_bytes)
    running, event = check_kernel(module, queue)
    total = 1e-9 * (event.profile.end - event.profile.queued)
    return f"seen: of {1e3 * total:.3g} ms of a kernel, {1e3 * running:.3g} ms are its run"


def check_copy(module, queue, n_bytes):
    """Hold phases and bandwidth of a copy to the device against its event."""
    h_data = np.ones(n_bytes, np.uint8)
    d_data = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, n_bytes)
    event = cl.enqueue_copy(queue, d_data, h_data, is_blocking=False)
    compare(module, event, f"a copy of {n_bytes} bytes")
    rate = n_bytes / (event.profile.end - event.profile.start)  # bytes per ns: GB/s
    same(module.bandwidth(event, n_bytes), rate, f"bandwidth of {n_bytes} bytes", rtol=1e-6)


def check_held(module, queue):
    """Let a copy wait for a signal, which comes while `phases` looks at it."""
    h_data = np.ones(1000, np.uint8)
    d_data = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, h_data.nbytes)
    signal = cl.UserEvent(queue.context)
    event = cl.enqueue_copy(queue, d_data, h_data, is_blocking=False, wait_for=[signal])
    queue.flush()
    timer = threading.Timer(HELD_S, signal.set_status, [cl.command_execution_status.COMPLETE])
    timer.start()
    label = "a copy that waits for something else first"
    try:
        module.phases(event)
    except cl.RuntimeError:
        raise Wrong(f"{label}: an event knows its times only after `event.wait()`") from None
    finally:
        timer.join()
        event.wait()
    compare(module, event, label)


def check_kernel(module, queue):
    """Return the seconds that a kernel ran, and its event."""
    d_out = cl.Buffer(queue.context, cl.mem_flags.WRITE_ONLY, 4 * 4096)
    spin = cl.Program(queue.context, KERNEL).build().spin
    for n in (1, 2000):
        event = spin(queue, (4096,), None, np.int32(n), d_out)
        compare(module, event, "a kernel")
    return module.phases(event)["running"], event


def compare(module, event, label):
    """Raise `Wrong` unless phases and their longest are what the event's clock says."""
    got = module.phases(event)
    if not isinstance(got, dict) or set(got) != set(CLOCKS):
        raise Wrong(f"{label}: phases returns a dict of {', '.join(CLOCKS)}, got {got}")
    right = {}
    for name, (begin, end) in CLOCKS.items():
        right[name] = 1e-9 * (getattr(event.profile, end) - getattr(event.profile, begin))
        same(got[name], right[name], f"{label}: {name}, in seconds", rtol=1e-6)
    slowest = module.slowest_phase(event)
    if slowest not in right or right[slowest] != max(right.values()):
        raise Wrong(f"{label}: slowest_phase says {slowest!r}, the phases are {right}")
