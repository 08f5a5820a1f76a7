"""The contenders of each task: `polymask.cuda`, two yardsticks, and work on the CPU.

polymask's engine and pycocotools fill polygons on the CPU, with one thread. The copy of their
result to the device is timed with the call.
"""

import functools

import numpy as np

import polymask
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


# polymask.cuda.


def mask(vertices, shape, **options):
    """Return a call to `polymask.cuda.polygon_mask`."""
    from polymask import cuda

    return lambda: cuda.polygon_mask(vertices, shape, dtype=np.uint8, **options)


def labels(polygons, shape):
    """Return a call to `polymask.cuda.label_mask`."""
    from polymask import cuda

    return lambda: cuda.label_mask(polygons, shape, dtype=np.int32)


def masks(polygons, shape):
    """Return a call to `polymask.cuda.polygon_masks`."""
    from polymask import cuda

    return lambda: cuda.polygon_masks(polygons, shape, dtype=np.uint8)


def mask_into_out(vertices, shape, **options):
    """Return a call with a given array; an omitted pixel is wrong."""
    return mask(vertices, shape, out=cupy().full(shape, 255, np.uint8), **options)


contender(OURS, "mask", "polymask.cuda.polygon_mask")(
    lambda polygons, shape: mask(polygons.vertices, shape)
)
contender("polymask: out=", "mask", "polymask.cuda.polygon_mask, out=")(
    lambda polygons, shape: mask_into_out(polygons.vertices, shape)
)
contender("polymask: device", "mask", "polymask.cuda.polygon_mask, vertices on the device")(
    lambda polygons, shape: mask(cupy().asarray(polygons.vertices), shape)  # waits for the check
)
contender(BEST, "mask", "polymask.cuda.polygon_mask, vertices on the device, check=False, out=")(
    lambda polygons, shape: mask_into_out(cupy().asarray(polygons.vertices), shape, check=False)
)
for task, call, title in ("labels", labels, "label_mask"), ("instances", masks, "polygon_masks"):
    contender(OURS, task, f"polymask.cuda.{title}, ragged arrays")(call)
    contender("polymask: device", task, f"polymask.cuda.{title}, ragged arrays on the device")(
        lambda polygons, shape, call=call: call(on_device(polygons), shape)
    )


# Work on the CPU.


def then_copied(call):
    """Return a call that makes an array on the host, and copies it to the device."""
    return lambda: cupy().asarray(call())


@contender("engine", "mask", "polymask.polygon_mask", included=COPY)
def mask_copied(polygons, shape):
    """Return a call to the CPU's engine, and the copy from a new array."""
    options = {"dtype": np.uint8, "threads": 1}
    return then_copied(lambda: polymask.polygon_mask(polygons.vertices, shape, **options))


@contender("engine", "labels", "polymask.label_mask, ragged arrays", included=COPY)
def labels_copied(polygons, shape):
    """Return a call to the CPU's engine, and the copy."""
    return then_copied(many.label_mask(polygons, shape))


@contender("engine", "instances", "polymask.polygon_masks, ragged arrays", included=COPY)
def masks_copied(polygons, shape):
    """Return a call to the CPU's engine, and the copy."""
    options = {"dtype": np.uint8, "threads": 1}
    return then_copied(lambda: polymask.polygon_masks(polygons, shape, **options))


@contender(COCO, "instances", "pycocotools.mask.frPyObjects, decode", "pycocotools", COPY)
def coco_masks(polygons, shape):
    """Return calls from polygons to run lengths and to masks, which are stored by columns."""
    from pycocotools import mask

    rings = [ring.ravel().tolist() for (ring,) in many.rings_of(polygons)]
    return lambda: cupy().asarray(mask.decode(mask.frPyObjects(rings, *shape))).transpose(2, 0, 1)
