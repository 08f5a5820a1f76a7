"""The trial of an OpenCL device, in the process that `ladder.devices.opencl` starts for it."""

import numpy as np
import pyopencl as cl

from ladder.devices import intel, opencl, trial_process
from ladder.devices.trial_process import POLYGON, SHAPE, NoDevice
from polymask.common.error_text import first_line
from polymask.common.kernel_text import with_headers

# Rungs need doubles, 64-bit integers, and local memory with a barrier. The text of the rule
# replaces the #include line.
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


def candidates():
    """Return the devices to try, in order, as pairs of a value of PYOPENCL_CTX and a device."""
    chosen = opencl.KIND.choice()
    try:
        by_choice = opencl.listed()
        if chosen:
            chosen_devices = cl.choose_devices(interactive=False)
            by_choice = {
                choice: device for choice, device in by_choice.items() if device in chosen_devices
            }
        if not by_choice:
            raise LookupError("no platform lists a device")
    except (cl.Error, LookupError, RuntimeError, ValueError) as error:
        if chosen:
            reason = f"PYOPENCL_CTX={chosen} chooses no device here ({first_line(error)})"
        elif "PLATFORM_NOT_FOUND" in str(error):
            reason = "OpenCL finds no driver here"
        else:
            reason = f"OpenCL lists no device ({first_line(error)})"
        raise NoDevice(reason) from error
    gpu = cl.device_type.GPU  # GPUs come first, the driver from the package index last
    return sorted(
        by_choice.items(), key=lambda item: (not item[1].type & gpu, intel.is_from_index(item[1]))
    )


def fails(device):
    """Return the reason why a device cannot be used, in one line, or an empty text."""
    if not device.double_fp_config:
        return "it does not compute in double precision"
    try:
        return trial_process.wrong_pixels(make_mask(device))
    except cl.Error as error:
        if line := compiler_line(str(error)):
            return line
        raise


def make_mask(device):
    """Return the mask of a polygon, computed by the device."""
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    program = cl.Program(context, with_headers(KERNEL))
    program.build(cache_dir=False)  # without PyOpenCL's cache, so that the driver must compile
    h_mask = np.full(SHAPE, 0xA5, np.uint8)
    d_vertices = cl.Buffer(context, cl.mem_flags.READ_ONLY, POLYGON.nbytes)
    d_mask = cl.Buffer(context, cl.mem_flags.READ_WRITE, h_mask.nbytes)
    cl.enqueue_copy(queue, d_vertices, POLYGON)
    cl.Kernel(program, "trial")(
        queue, SHAPE[::-1], (ITEMS, 1),
        d_vertices, np.int64(len(POLYGON)), np.int64(SHAPE[1]), cl.LocalMemory(ITEMS), d_mask,
    )  # fmt: skip
    cl.enqueue_copy(queue, h_mask, d_mask)
    return h_mask


def compiler_line(text):
    """Return the compiler's line in PyOpenCL's message about a failed build, or an empty text."""
    _, build, log = text.partition("\nBuild on ")
    lines = [line.strip() for line in log.split("\n(options:")[0].splitlines()[1:]]
    error_lines = [line for line in lines if "error" in line.lower()] or [
        line for line in lines if line
    ]
    return error_lines[0] if build and error_lines else ""


if __name__ == "__main__":
    trial_process.main(candidates, opencl.describe, fails)
