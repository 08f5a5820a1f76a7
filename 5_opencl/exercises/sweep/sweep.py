"""Find the fastest work-group shape on this device by the device's clock."""

import statistics

import numpy as np
import pyopencl as cl

REPEATS = 7  # measured launches of each shape

# The errors for a work-group that is too large for the device, or too long in one dimension.
TOO_LARGE = cl.status_code.INVALID_WORK_GROUP_SIZE, cl.status_code.INVALID_WORK_ITEM_SIZE


def sweep(launch, shapes):
    """Return a dict from each accepted shape, (rows, cols), to its seconds, and the best shape.

    ``launch(shape)`` adds the kernel to a queue and returns its event at once; for a shape that the
    device rejects, it raises `cl.Error`, whose `code` is the reason. The seconds are the median of
    REPEATS launches after one to warm up, from start to end on the device's clock. The best shape
    is None if all were too large. All other errors are raised.
    """
    table = {}
    for shape in shapes:
        try:
            launch(shape).wait()  # the first launch may include a build or a copy
        except cl.Error as error:
            if error.code not in TOO_LARGE:
                raise
            continue
        times = []
        for _ in range(REPEATS):
            event = launch(shape)
            event.wait()
            times.append(1e-9 * (event.profile.end - event.profile.start))
        table[shape] = statistics.median(times)
    return table, min(table, key=table.get, default=None)


def launcher(size=1024):
    """Return a `launch` for `sweep`: the mask of lesson 5, on size x size pixels."""
    from ladder.opencl import pixels
    from ladder.registry import workload

    context, vertices = pixels.context(), workload.polygon(shape=(size, size))
    profiling = cl.command_queue_properties.PROFILING_ENABLE
    queue = cl.CommandQueue(context, properties=profiling)
    d_vertices = cl.Buffer(context, cl.mem_flags.READ_ONLY, vertices.nbytes)
    cl.enqueue_copy(queue, d_vertices, vertices)
    d_mask = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, size * size)
    kernel = cl.Kernel(pixels.program(), "polygon_mask")
    sizes = np.int64(size), np.int64(size)
    arguments = d_vertices, np.int64(len(vertices)), np.int32(1), *sizes, d_mask

    def launch(shape):
        rows, cols = shape
        global_size = -(-size // cols) * cols, -(-size // rows) * rows  # x first, rounded up
        return kernel(queue, global_size, (cols, rows), *arguments)

    return launch


if __name__ == "__main__":
    sides = (1, 4, 16, 64, 256, 1024)
    table, best = sweep(launcher(), [(rows, cols) for rows in sides for cols in sides])
    for shape in sorted(table, key=table.get):
        print(f"{shape[0]:5} x {shape[1]:<5} {1e3 * table[shape]:8.3f} ms")
    print(f"the best is {best}")
