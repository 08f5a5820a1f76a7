"""Compare kernels with one work item per pixel and one per row, on every OpenCL device.

PyOpenCL lists PoCL and, with the extra `sycl`, Intel's runtime: two compilers for one processor.
"""

import sys
from pathlib import Path

import numpy as np
import pyopencl as cl

from ladder.devices import opencl
from ladder.registry import reference, workload
from polymask.common.kernel_text import CSRC, with_headers
from polymask.contract import Unavailable

CALLS = 20
KERNELS = {  # the work of an item: its kernel, and the global size for rows and columns
    "a pixel": (CSRC / "mask.cl", lambda rows, cols: (cols, rows)),
    "a row": (Path(__file__).with_name("rows.cl"), lambda rows, cols: (rows,)),
}


def shortest_time(device, file, size, vertices, shape):
    """Return the shortest time of the kernel on the device's clock, and verify the mask."""
    context = cl.Context([device])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    text = with_headers(file.read_text(encoding="utf-8"))
    kernel = cl.Kernel(cl.Program(context, text).build(), "polygon_mask")
    h_mask = np.empty(shape, np.uint8)
    flags = cl.mem_flags
    d_vertices = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=vertices)
    d_mask = cl.Buffer(context, flags.WRITE_ONLY, h_mask.nbytes)
    kernel.set_args(
        d_vertices, np.int64(len(vertices)), np.int32(True), *map(np.int64, shape), d_mask
    )
    times = []
    for _ in range(CALLS):
        event = cl.enqueue_nd_range_kernel(queue, kernel, size(*shape), None)
        event.wait()
        times.append(1e-9 * (event.profile.end - event.profile.start))
    cl.enqueue_copy(queue, h_mask, d_mask)
    assert np.array_equal(h_mask, reference.mask(vertices, shape))
    return min(times)


def main(shape=workload.SHAPE):
    """Print a line for each working device."""
    try:
        trials = opencl.survey()
    except Unavailable as unavailable:
        sys.exit(str(unavailable))
    vertices = workload.polygon(shape=shape)
    for trial in (trial for trial in trials if not trial.failure):
        device = opencl.listed()[trial.choice]
        times = {
            work: shortest_time(device, file, size, vertices, shape)
            for work, (file, size) in KERNELS.items()
        }
        text = ", ".join(f"{work} per item {1e3 * s:.2f} ms" for work, s in times.items())
        print(f"{trial.device.platform}: {text}")


if __name__ == "__main__":
    main()
