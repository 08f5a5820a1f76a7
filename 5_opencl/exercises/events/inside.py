"""Commands on a device, what the answer says of their events, and the events' own clocks."""

import threading

import numpy as np
import pyopencl as cl

from polymask.opencl import pixels

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
