"""Tries an OpenCL device, as a process that a driver may crash: run by `polymask.devices.opencl`.

Prints a line of JSON for all devices in their order, and one for the device that was tried.
"""

import dataclasses
import sys

import numpy as np
import pyopencl as cl

from polymask.devices import apart, intel, opencl
from polymask.devices.trial_mask import POLYGON, SHAPE, first_line, what_is_wrong, with_rule

# Doubles, 64-bit integers, and local memory behind a barrier: what the rungs ask of a device. The
# rule's text takes its line.
KERNEL = """
#include "inside_polygon.h"
kernel void trial(global const double *vertices, const long n, const long cols,
                  local uchar *pixels, global uchar *mask)
{
    const long x = get_global_id(0), y = get_global_id(1);
    pixels[get_local_id(0)] = inside_polygon(x, y, vertices, n, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    mask[y * cols + x] = pixels[get_local_id(0)];
}
"""
ITEMS = 8  # of a work-group, side by side


def main():
    """List the devices, and try that of number sys.argv[1]."""
    say = apart.speaker()
    try:
        devices = candidates()
    except (cl.Error, LookupError, RuntimeError, ValueError) as error:
        say(nothing=nothing(error))
        return
    choices = {device: choice for choice, device in opencl.listed().items()}
    say(
        found=[
            {"device": dataclasses.asdict(opencl.describe(device)), "choice": choices[device]}
            for device in devices
        ]
    )
    say(failure=fails(devices[int(sys.argv[1])]))


def candidates():
    """Return the devices to try, in their order; raise if there is none."""
    devices = list(opencl.listed().values())
    if opencl.chosen_by_user():
        devices = cl.choose_devices(interactive=False)
    if not devices:
        raise LookupError("no platform lists a device")
    return sorted(
        devices,
        key=lambda device: (not device.type & cl.device_type.GPU, intel.is_from_index(device)),
    )


def nothing(error):
    """Say why there is no device to try."""
    if opencl.chosen_by_user():
        return (
            f"PYOPENCL_CTX={opencl.chosen_by_user()} chooses no device here ({first_line(error)})"
        )
    if "PLATFORM_NOT_FOUND" in str(error):
        return "OpenCL finds no driver here"
    return f"OpenCL lists no device ({first_line(error)})"


def fails(device):
    """Return why a device cannot be used, in one line; an empty text if it can."""
    if not device.double_fp_config:
        return "it does not compute in double precision"
    try:
        mask = make_mask(device, POLYGON)
    except Exception as error:  # whatever a driver does wrong is its failure
        return compiler_says(str(error)) or f"{type(error).__name__}: {first_line(error)}"
    return what_is_wrong(mask)


def make_mask(device, vertices):
    """Return the mask of a polygon, made by the device."""
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, with_rule(KERNEL))
    program.build(cache_dir=False)  # the driver is asked, not what it said once
    h_mask = np.full(SHAPE, 0xA5, np.uint8)
    d_vertices = cl.Buffer(context, cl.mem_flags.READ_ONLY, vertices.nbytes)
    d_mask = cl.Buffer(context, cl.mem_flags.READ_WRITE, h_mask.nbytes)
    cl.enqueue_copy(queue, d_vertices, vertices)
    cl.Kernel(program, "trial")(
        queue, SHAPE[::-1], (ITEMS, 1),
        d_vertices, np.int64(len(vertices)), np.int64(SHAPE[1]), cl.LocalMemory(ITEMS), d_mask,
    )  # fmt: skip
    cl.enqueue_copy(queue, h_mask, d_mask)
    return h_mask


def compiler_says(text):
    """Return the compiler's line of PyOpenCL's message for a failed build, or an empty text."""
    _, build, log = text.partition("\nBuild on ")
    lines = [line.strip() for line in log.split("\n(options:")[0].splitlines()[1:]]
    telling = [line for line in lines if "error" in line.lower()] or [
        line for line in lines if line
    ]
    return telling[0] if build and telling else ""


if __name__ == "__main__":
    main()
