"""The mask in dpnp: NumPy's expressions on a SYCL device.

Each dpnp array has a queue, and operations on arrays run in their queue. This module launches no
kernel explicitly: each operator is a kernel.
"""

import dpctl
import dpnp
import numpy as np

from ladder.devices import sycl
from polymask import contract


@sycl.once
def queue():
    """Return the queue of the arrays."""
    return dpctl.SyclQueue(sycl.device(), property=["in_order", "enable_profiling"])


@sycl.or_unavailable
def make_mask(vertices, shape, border_value=True, *, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask` and sycl.kernel."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    if rows * cols == 0:
        return np.empty((rows, cols), dtype=np.uint8)
    timer = dpctl.SyclTimer()
    with timer(queue()):
        d_mask = of_arrays(vertices.tolist(), rows, cols, border_value)
        # If the device fails, dpnp's own wait for this copy would end the process.
        sycl.finish(queue().submit_barrier())
        mask = dpnp.asnumpy(d_mask)
    if events is not None:
        events["kernel"] = sycl.Between(*timer.bracketing_events[0])  # all operators
    return mask


def of_arrays(vertices, rows, cols, border_value):
    """Return the mask as a dpnp array, on the device."""
    on_queue = {"sycl_queue": queue()}
    inside = dpnp.zeros((rows, cols), dtype=bool, **on_queue)  # first, as it may not fit
    y = dpnp.arange(rows, dtype=dpnp.float64, **on_queue)[:, None]
    x = dpnp.arange(cols, dtype=dpnp.float64, **on_queue)[None, :]
    on_vertex = dpnp.zeros((rows, cols), dtype=bool, **on_queue)
    for (x1, y1), (x2, y2) in zip(vertices, vertices[1:] + vertices[:1], strict=True):
        on_vertex |= (x == x1) & (y == y1)
        if y1 == y2:
            continue
        crosses = (y > min(y1, y2)) & (y <= max(y1, y2)) & (x <= max(x1, x2))
        if x1 != x2:
            crosses &= x <= (y - y1) * (x2 - x1) / (y2 - y1) + x1
        inside ^= crosses
    inside[on_vertex] = border_value
    return inside.view(dpnp.uint8)
