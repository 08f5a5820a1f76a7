"""Find the fastest work-group shape on this device by the device's clock."""

import statistics

import numpy as np
import pyopencl as cl

REPEATS = 7  # measured launches of each shape


def sweep(launch, shapes):
    """Return a dict from each shape, (rows, cols), to its seconds, and the best shape.

    ``launch(shape)`` adds the kernel to a queue and returns its event at once. The seconds are the
    median of REPEATS launches after one to warm up, from start to end on the device's clock.
    """
    table = {}
    for shape in shapes:
        launch(shape).wait()  # the first launch may include a build or a copy
        times = []
        for _ in range(REPEATS):
            event = launch(shape)
            event.wait()
            times.append(1e-9 * (event.profile.end - event.profile.start))
        table[shape] = statistics.median(times)
    return table, min(table, key=table.get)


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
    sides = (1, 2, 4, 8, 16, 32, 64)  # no group has more than 64 items, which all devices accept
    table, best = sweep(launcher(), [(r, c) for r in sides for c in sides if r * c <= 64])
    for shape in sorted(table, key=table.get):
        print(f"{shape[0]:5} x {shape[1]:<5} {1e3 * table[shape]:8.3f} ms")
    print(f"the best is {best}")
