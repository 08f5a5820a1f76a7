"""Exact masks, label images, pixel counts and areas on an NVIDIA GPU, which stay there.

The functions have the arguments of those of the same names in `polymask`, and give the same values
to the bit, as CuPy arrays, which PyTorch, JAX, TensorFlow and Numba take without a copy. They put
their work into a stream, and do not wait for it. They need the extra `cuda`.

Polygons are read from the host's memory in any form that the CPU functions accept, or from the
device: one polygon as an (N, 2) array, or many as ragged arrays, (vertices, ring_offsets[,
polygon_offsets[, feature_offsets]]), any of which lie on the device. Arrays of the device may
belong to any library with `__cuda_array_interface__` or `__dlpack__`. They are not copied. They
must not change until the work is done.

`all_touched`, `subpixels` and `threads` exist only on the CPU.
"""

from polymask.cuda.device_coverage import coverage
from polymask.cuda.device_labels import label_mask
from polymask.cuda.device_masks import pixel_counts, polygon_mask, polygon_masks

__all__ = ["coverage", "label_mask", "pixel_counts", "polygon_mask", "polygon_masks"]
