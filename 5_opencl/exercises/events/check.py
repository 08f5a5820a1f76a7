"""Lets copies and kernels run, and holds what is said of their events against their clocks."""

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


def check(answer, random):
    """Raise `Wrong` at the first number that the event's clock does not say."""
    profiles, of_context = queue(answer)
    if not profiles:
        raise Wrong("profiling_queue returns no queue that was made with PROFILING_ENABLE")
    if not of_context:
        raise Wrong("profiling_queue returns a queue of another context than the one handed in")
    label = "a copy that waits for something else first"
    found = held(answer, HELD_S)
    if found is None:
        raise Wrong(f"{label}: an event knows its times only after `event.wait()`")
    compare(found, label)
    for n_bytes in (random.randrange(10**3, 10**4), random.randrange(10**6, 10**7)):
        found = copy(answer, n_bytes)
        compare(found, f"a copy of {n_bytes} bytes")
        begin, end = found["clock"]["running"]
        rate = n_bytes / (end - begin)  # bytes per ns: GB/s
        same(found["bandwidth"], rate, f"bandwidth of {n_bytes} bytes", rtol=1e-6)
    for n in (1, 2000):
        found = kernel(answer, n)
        compare(found, "a kernel")
    clock = found["clock"]
    total = 1e-9 * (clock["running"][1] - clock["queued"][0])
    running = found["phases"]["running"]
    return f"seen: of {1e3 * total:.3g} ms of a kernel, {1e3 * running:.3g} ms are its run"


def compare(found, label):
    """Raise `Wrong` unless phases and their longest are what the event's clock says."""
    got, clock = found["phases"], found["clock"]
    if not isinstance(got, dict) or set(got) != set(clock):
        raise Wrong(f"{label}: phases returns a dict of {', '.join(clock)}, got {got}")
    right = {name: 1e-9 * (end - begin) for name, (begin, end) in clock.items()}
    for name, seconds in right.items():
        same(got[name], seconds, f"{label}: {name}, in seconds", rtol=1e-6)
    slowest = found["slowest"]
    if slowest not in right or right[slowest] != max(right.values()):
        raise Wrong(f"{label}: slowest_phase says {slowest!r}, the phases are {right}")


def queue(module):
    """Return whether the events of the answer's queue know their times, and whose queue it is."""
    made = module.profiling_queue(pixels.context())
    if not isinstance(made, cl.CommandQueue):
        return False, False
    try:
        of_context = made.context == pixels.context()
    except cl.LogicError:  # Intel's driver lets go of a context that only its queue holds
        of_context = False
    return bool(made.properties & PROFILING), of_context


def copy(module, n_bytes):
    """Copy so many bytes to the device."""
    queue = module.profiling_queue(pixels.context())
    h_data = np.ones(n_bytes, np.uint8)
    d_data = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, n_bytes)
    event = cl.enqueue_copy(queue, d_data, h_data, is_blocking=False)
    return said(module, event) | {"bandwidth": module.bandwidth(event, n_bytes)}


def held(module, seconds):
    """Let a copy wait for a signal, which comes while `phases` looks at it."""
    queue = module.profiling_queue(pixels.context())
    h_data = np.ones(1000, np.uint8)
    d_data = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, h_data.nbytes)
    signal = cl.UserEvent(queue.context)
    event = cl.enqueue_copy(queue, d_data, h_data, is_blocking=False, wait_for=[signal])
    queue.flush()
    timer = threading.Timer(seconds, signal.set_status, [cl.command_execution_status.COMPLETE])
    timer.start()
    try:
        module.phases(event)
    except cl.RuntimeError:
        return None
    finally:
        timer.join()
        event.wait()
    return said(module, event)


def kernel(module, n):
    """Run a kernel that takes the longer, the larger n is."""
    queue = module.profiling_queue(pixels.context())
    d_out = cl.Buffer(queue.context, cl.mem_flags.WRITE_ONLY, 4 * 4096)
    spin = cl.Program(queue.context, KERNEL).build().spin
    return said(module, spin(queue, (4096,), None, np.int32(n), d_out))


def said(module, event):
    """Return what the answer says of an event, and what the event's clock says."""
    phases = module.phases(event)
    slowest = module.slowest_phase(event) if isinstance(phases, dict) else None
    event.wait()
    clock = {
        name: (getattr(event.profile, begin), getattr(event.profile, end))
        for name, (begin, end) in CLOCKS.items()
    }
    return {"phases": phases, "slowest": slowest, "clock": clock}
