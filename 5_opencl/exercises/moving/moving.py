"""Masks of a polygon that moves: buffers and kernel are made once, and a second queue copies."""

import numpy as np
import pyopencl as cl

from ladder.opencl import pixels


class Moving:
    """A polygon with float64 vertices, and its masks of one shape, (rows, cols)."""

    def __init__(self, vertices, shape):
        context, flags = pixels.context(), cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
        self.h_vertices, self.shape = vertices.copy(), shape
        self.compute, self.copies = cl.CommandQueue(context), cl.CommandQueue(context)
        self.d_vertices = cl.Buffer(context, flags, hostbuf=self.h_vertices)
        self.d_mask = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, shape[0] * shape[1])
        self.kernel = cl.Kernel(pixels.program(), "polygon_mask")

    def move(self, dx, dy):
        """Move the polygon by dx columns and dy rows."""
        self.h_vertices += dx, dy
        cl.enqueue_copy(self.copies, self.d_vertices, self.h_vertices)

    def mask(self):
        """Return the mask of the polygon at its present place."""
        h_mask = np.empty(self.shape, np.uint8)
        numbers = np.int64(len(self.h_vertices)), np.int32(1), *map(np.int64, self.shape)
        arguments = self.d_vertices, *numbers, self.d_mask
        launch = self.kernel(self.compute, self.shape[::-1], None, *arguments)
        self.compute.flush()  # hands the launch to the device, and does not wait
        cl.enqueue_copy(self.copies, h_mask, self.d_mask, wait_for=[launch])
        return h_mask
