"""The contenders of each task: `polymask.cuda`, two yardsticks, and the libraries in common use.

Most libraries fill polygons on the CPU, here with one thread. The copy of their result to the
device is timed with the call. xarray-spatial fills polygons on the device.
"""

import functools

import numpy as np

import polymask
from benchmarks import peers
from benchmarks.many import contenders as many
from ladder.offload.engines.source import CSRC
from polymask.cuda.cupy_library import cupy

OURS = "polymask"  # vertices on the host, a new array
BEST = "polymask: device, out="  # vertices on the device, which are not checked
MEMSET, EMPTY_LAUNCH = "memset", "empty launch"
RUN_LENGTHS, COCO = "pycocotools: RLE", "pycocotools"
EMPTY = '#include "device.h"\nKERNEL void empty() {}'
COPY = "the copy to the device"
XARRAY_SPATIAL = {
    "title": "xrspatial.rasterize.rasterize, gpu=True",
    "package": "xarray-spatial",
    "included": "conversion of geometries",
    "install": "pip install xarray-spatial, for Python 3.12",
}

CONTENDERS = []
contender = functools.partial(many.contender, into=CONTENDERS)


def on_device(polygons):
    """Return polygons with their arrays on the device."""
    return tuple(cupy().asarray(array) for array in polygons if array is not None)


def then_copied(call):
    """Return a call that makes an array on the host, and copies it to the device."""
    return lambda: cupy().asarray(call())


# Yardsticks.


def memset(shape, dtype):
    """Return a call that fills an array on the device."""
    array = cupy().empty(shape, dtype)
    return lambda: array.data.memset_async(1, array.nbytes)


@contender(MEMSET, "mask", "cudaMemsetAsync", kind="yardstick")
def memset_of_mask(polygons, shape):
    """Return a call that fills a mask."""
    return memset(shape, np.uint8)


@contender(MEMSET, "labels", "cudaMemsetAsync", kind="yardstick")
def memset_of_labels(polygons, shape):
    """Return a call that fills an image of labels."""
    return memset(shape, np.int32)


@contender(MEMSET, "instances", "cudaMemsetAsync", kind="yardstick")
def memset_of_stack(polygons, shape):
    """Return a call that fills a stack of masks."""
    return memset((polygons.features, *shape), np.uint8)


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


@contender("engine: pinned", "mask", "polymask.polygon_mask, out= in pinned memory", included=COPY)
def mask_copied_from_pinned(polygons, shape):
    """Return a call to the CPU's engine, and the copy from pinned memory to an existing array."""
    import cupyx

    mask, image = cupyx.empty_pinned(shape, np.uint8), cupy().empty(shape, np.uint8)

    def call():
        polymask.polygon_mask(polygons.vertices, shape, out=mask, threads=1)
        image.set(mask)
        return image

    return call


def add_peer(peer):
    """List a library of `benchmarks.peers`."""

    @contender(
        peer.key.removeprefix("peer."), "mask", peer.title, peer.package,
        "; ".join(filter(None, (peer.included, COPY))),
    )  # fmt: skip
    def prepare(polygons, shape):
        return then_copied(functools.partial(peer.prepare(), polygons.vertices, shape))


for library in peers.PEERS:
    if library.key in ("peer.opencv", "peer.rasterio"):
        add_peer(library)


def xarray_spatial(polygons, shape, dtype):
    """Return a call to xarray-spatial on the device; a view reverses its rows, as y points up."""
    from xrspatial.rasterize import rasterize

    shapes, (rows, cols) = list(many.geometries(polygons)), shape
    pairs = list(zip(shapes, range(1, len(shapes) + 1), strict=True))

    def call():
        raster = rasterize(
            pairs, width=cols, height=rows, bounds=many.extent(shape), fill=0, dtype=dtype, gpu=True
        )
        return raster.data[::-1]

    return call


@contender("xarray-spatial", "mask", **XARRAY_SPATIAL)
def xarray_spatial_mask(polygons, shape):
    """Return a call for one mask."""
    return xarray_spatial(polygons, shape, "uint8")


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


@contender("opencv", "labels", "cv2.fillPoly", "opencv-python-headless", COPY)
def opencv_labels(polygons, shape):
    """Return calls to OpenCV, one per polygon, and the copy."""
    return then_copied(many.opencv_labels(polygons, shape))


@contender("rasterio", "labels", "rasterio.features.rasterize", "rasterio", COPY)
def rasterio_labels(polygons, shape):
    """Return a call to rasterio, and the copy."""
    return then_copied(many.rasterio_labels(polygons, shape))


@contender("xarray-spatial", "labels", **XARRAY_SPATIAL)
def xarray_spatial_labels(polygons, shape):
    """Return a call for labels."""
    return xarray_spatial(polygons, shape, "int32")


# One mask per polygon.


@contender(OURS, "instances", "polymask.cuda.polygon_masks, ragged arrays")
def masks_of_host_arrays(polygons, shape):
    """Return a call with ragged arrays on the host."""
    from polymask import cuda

    return lambda: cuda.polygon_masks(polygons, shape, dtype=np.uint8)


@contender("polymask: lists", "instances", "polymask.cuda.polygon_masks, a list of arrays")
def masks_of_lists(polygons, shape):
    """Return a call with one array per polygon, as annotations are read."""
    return masks_of_host_arrays([ring for (ring,) in many.rings_of(polygons)], shape)


@contender("polymask: device", "instances", "polymask.cuda.polygon_masks, arrays on the device")
def masks_of_device_arrays(polygons, shape):
    """Return a call with ragged arrays on the device; it waits until they are checked."""
    return masks_of_host_arrays(on_device(polygons), shape)


@contender("engine", "instances", "polymask.polygon_masks, ragged arrays", included=COPY)
def masks_copied(polygons, shape):
    """Return a call to the CPU's engine, and the copy."""
    masks = functools.partial(polymask.polygon_masks, dtype=np.uint8, threads=1)
    return then_copied(functools.partial(masks, polygons, shape))


def runs_of(polygons, shape):
    """Return the run lengths that COCO's tools make of polygons."""
    from pycocotools import mask

    rings = [ring.ravel().tolist() for (ring,) in many.rings_of(polygons)]
    return lambda: mask.frPyObjects(rings, *shape)


def decoded(runs):
    """Return a call that decodes run lengths, and copies the masks; they are stored by columns."""
    from pycocotools import mask

    return lambda: cupy().asarray(mask.decode(runs())).transpose(2, 0, 1)


@contender(COCO, "instances", "pycocotools.mask.frPyObjects, decode", "pycocotools", COPY)
def coco_masks(polygons, shape):
    """Return calls from polygons to masks on the device."""
    return decoded(runs_of(polygons, shape))


@contender(RUN_LENGTHS, "instances", "pycocotools.mask.decode", "pycocotools", COPY)
def coco_masks_of_runs(polygons, shape):
    """Return a call from run lengths, which are made before, to masks on the device."""
    runs = runs_of(polygons, shape)()
    return decoded(lambda: runs)


@contender("opencv", "instances", "cv2.fillPoly", "opencv-python-headless", COPY)
def opencv_masks(polygons, shape):
    """Return calls to OpenCV, one per polygon, and the copy."""
    import cv2

    cv2.setNumThreads(1)
    features = many.rings_of(polygons)

    def call():
        masks = np.zeros((len(features), *shape), np.uint8)
        for mask, rings in zip(masks, features, strict=True):
            cv2.fillPoly(mask, [np.rint(ring).astype(np.int32) for ring in rings], 1)
        return masks

    return then_copied(call)
