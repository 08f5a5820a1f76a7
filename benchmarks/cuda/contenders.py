"""The contenders of each task: `polymask.cuda`, two yardsticks, and work on the CPU.

polymask's engine and pycocotools fill polygons on the CPU, with one thread. The copy of their
result to the device is timed with the call.
"""

import functools

import numpy as np

import polymask
from benchmarks import peers
from benchmarks.harness.tasks import register_in
from benchmarks.many import contenders as many
from ladder.offload.engines.source import CSRC
from polymask.cuda.cupy_library import cupy

OURS = "polymask"  # vertices on the host, a new array
BEST = "polymask: device, out="  # vertices on the device, which are not checked
MEMSET, EMPTY_LAUNCH = "memset", "empty launch"
COCO = "pycocotools"
EMPTY = '#include "device.h"\nKERNEL void empty() {}'
COPY = "the copy to the device"

CONTENDERS = []
contender = register_in(CONTENDERS)


def on_device(polygons):
    """Return polygons with their arrays on the device."""
    return tuple(cupy().asarray(array) for array in polygons if array is not None)


def then_copied(call):
    """Return a call that makes an array on the host, and copies it to the device."""
    return lambda: cupy().asarray(call())


# Yardsticks.


def memset(polygons, shape, result, dtype):
    """Return a call that fills an array like the result of a task on the device."""
    stack = (polygons.features,) if result == "instances" else ()
    array = cupy().empty((*stack, *shape), dtype)
    return lambda: array.data.memset_async(1, array.nbytes)


for task, dtype in ("mask", np.uint8), ("labels", np.int32), ("instances", np.uint8):
    register = contender(MEMSET, task, "cudaMemsetAsync", kind="yardstick")
    register(functools.partial(memset, result=task, dtype=dtype))


@contender(EMPTY_LAUNCH, "mask", "a kernel without work", kind="yardstick")
def empty_launch(polygons, shape):
    """Return a launch of a kernel without work, of one thread."""
    module = cupy().RawModule(code=EMPTY, options=("-std=c++17", f"-I{CSRC}"))
    kernel = module.get_function("empty")
    return lambda: kernel((1,), (1,), ())


# One mask.


def device_mask(vertices, shape, **options):
    """Return a call to `polymask.cuda.polygon_mask`."""
    from polymask import cuda

    return lambda: cuda.polygon_mask(vertices, shape, dtype=np.uint8, **options)


@contender(OURS, "mask", "polymask.cuda.polygon_mask")
def mask_of_host_vertices(polygons, shape):
    """Return a call with vertices on the host."""
    return device_mask(polygons.vertices, shape)


@contender("polymask: out=", "mask", "polymask.cuda.polygon_mask, out=")
def mask_into_out(polygons, shape):
    """Return a call with vertices on the host and a given array; an omitted pixel is wrong."""
    return device_mask(polygons.vertices, shape, out=cupy().full(shape, 255, np.uint8))


@contender("polymask: device", "mask", "polymask.cuda.polygon_mask, vertices on the device")
def mask_of_device_vertices(polygons, shape):
    """Return a call with vertices on the device; it waits until they are checked."""
    return device_mask(cupy().asarray(polygons.vertices), shape)


@contender(BEST, "mask", "polymask.cuda.polygon_mask, vertices on the device, check=False, out=")
def mask_without_waits(polygons, shape):
    """Return a call that only queues work."""
    out = cupy().full(shape, 255, np.uint8)
    return device_mask(cupy().asarray(polygons.vertices), shape, out=out, check=False)


@contender("engine", "mask", "polymask.polygon_mask", included=COPY)
def mask_copied(polygons, shape):
    """Return a call to the CPU's engine, and the copy from a new array."""
    return then_copied(functools.partial(peers.api_fresh(), polygons.vertices, shape))


# An image of labels.


@contender(OURS, "labels", "polymask.cuda.label_mask, ragged arrays")
def labels_of_host_arrays(polygons, shape):
    """Return a call with ragged arrays on the host."""
    from polymask import cuda

    return lambda: cuda.label_mask(polygons, shape, dtype=np.int32)


@contender("polymask: device", "labels", "polymask.cuda.label_mask, ragged arrays on the device")
def labels_of_device_arrays(polygons, shape):
    """Return a call with ragged arrays on the device; it waits until they are checked."""
    return labels_of_host_arrays(on_device(polygons), shape)


@contender("engine", "labels", "polymask.label_mask, ragged arrays", included=COPY)
def labels_copied(polygons, shape):
    """Return a call to the CPU's engine, and the copy."""
    return then_copied(many.label_mask(polygons, shape))


# One mask per polygon.


@contender(OURS, "instances", "polymask.cuda.polygon_masks, ragged arrays")
def masks_of_host_arrays(polygons, shape):
    """Return a call with ragged arrays on the host."""
    from polymask import cuda

    return lambda: cuda.polygon_masks(polygons, shape, dtype=np.uint8)


@contender("polymask: device", "instances", "polymask.cuda.polygon_masks, arrays on the device")
def masks_of_device_arrays(polygons, shape):
    """Return a call with ragged arrays on the device; it waits until they are checked."""
    return masks_of_host_arrays(on_device(polygons), shape)


@contender("engine", "instances", "polymask.polygon_masks, ragged arrays", included=COPY)
def masks_copied(polygons, shape):
    """Return a call to the CPU's engine, and the copy."""
    masks = functools.partial(polymask.polygon_masks, dtype=np.uint8, threads=1)
    return then_copied(functools.partial(masks, polygons, shape))


@contender(COCO, "instances", "pycocotools.mask.frPyObjects, decode", "pycocotools", COPY)
def coco_masks(polygons, shape):
    """Return calls from polygons to run lengths and to masks, which are stored by columns."""
    from pycocotools import mask

    rings = [ring.ravel().tolist() for (ring,) in many.rings_of(polygons)]
    return lambda: cupy().asarray(mask.decode(mask.frPyObjects(rings, *shape))).transpose(2, 0, 1)
