"""The contenders of each task: `polymask.cuda`, a yardstick, and work on the CPU.

polymask's engine and pycocotools fill polygons on the CPU, with one thread. The copy of their
result to the device is timed with the call.
"""

import functools

import numpy as np

import polymask
from benchmarks.harness.tasks import register_in
from benchmarks.many import contenders as many
from polymask.cuda.cupy_library import cupy

OURS = "polymask"  # vertices on the host, a new array
BEST = "polymask: device, out="  # vertices on the device, which are not checked
MEMSET = "memset"
COCO = "pycocotools"
COPY = "the copy to the device"
FUNCTIONS = ("labels", np.int32, "label_mask"), ("instances", np.uint8, "polygon_masks")

CONTENDERS = []
contender = register_in(CONTENDERS)


def on_device(polygons):
    """Return polygons with their arrays on the device."""
    return tuple(cupy().asarray(array) for array in polygons if array is not None)


# The yardstick.


def memset(polygons, shape, result, dtype):
    """Return a call that fills an array like the result of a task on the device."""
    stack = (polygons.features,) if result == "instances" else ()
    array = cupy().empty((*stack, *shape), dtype)
    return lambda: array.data.memset_async(1, array.nbytes)


for task, dtype in ("mask", np.uint8), ("labels", np.int32), ("instances", np.uint8):
    register = contender(MEMSET, task, "cudaMemsetAsync", kind="yardstick")
    register(functools.partial(memset, result=task, dtype=dtype))


# polymask.cuda.


def on_gpu(name, polygons, shape, **options):
    """Return a call to a function of `polymask.cuda`."""
    from polymask import cuda

    return functools.partial(getattr(cuda, name), polygons, shape, **options)


def unchecked(polygons, shape):
    """Return a call that needs no answer from the device; an omitted pixel is wrong."""
    out = cupy().full(shape, 255, np.uint8)
    return on_gpu("polygon_mask", cupy().asarray(polygons.vertices), shape, out=out, check=False)


contender(BEST, "mask", "polymask.cuda.polygon_mask, vertices on the device, check=False, out=")(
    unchecked
)
contender(OURS, "mask", "polymask.cuda.polygon_mask")(
    lambda polygons, shape: on_gpu("polygon_mask", polygons.vertices, shape, dtype=np.uint8)
)
for task, dtype, name in FUNCTIONS:
    contender(OURS, task, f"polymask.cuda.{name}, ragged arrays")(
        functools.partial(on_gpu, name, dtype=dtype)
    )
    contender("polymask: device", task, f"polymask.cuda.{name}, ragged arrays on the device")(
        lambda polygons, shape, name=name, dtype=dtype: on_gpu(
            name, on_device(polygons), shape, dtype=dtype
        )
    )


# Work on the CPU.


def copied(call):
    """Return a call that makes an array on the host, and copies it to the device."""
    return lambda: cupy().asarray(call())


@contender("engine", "mask", "polymask.polygon_mask", included=COPY)
def mask_copied(polygons, shape):
    """Return a call to the CPU's engine, and the copy from a new array."""
    options = {"dtype": np.uint8, "threads": 1}
    return copied(functools.partial(polymask.polygon_mask, polygons.vertices, shape, **options))


for task, dtype, name in FUNCTIONS:
    contender("engine", task, f"polymask.{name}, ragged arrays", included=COPY)(
        lambda polygons, shape, name=name, dtype=dtype: copied(
            functools.partial(getattr(polymask, name), polygons, shape, dtype=dtype, threads=1)
        )
    )


@contender(COCO, "instances", "pycocotools.mask.frPyObjects, decode", "pycocotools", COPY)
def coco_masks(polygons, shape):
    """Return calls from polygons to run lengths and to masks, which are stored by columns."""
    from pycocotools import mask

    rings = [ring.ravel().tolist() for (ring,) in many.rings_of(polygons)]
    return lambda: cupy().asarray(mask.decode(mask.frPyObjects(rings, *shape))).transpose(2, 0, 1)
