"""Tasks with many polygons, and their contenders: polymask and other libraries.

All contenders use one thread, except the rows of polymask with two.
"""

import functools
import os

import numpy as np

from benchmarks import peers
from benchmarks.harness.tasks import Scene, Task, register_in
from benchmarks.many.scenes import buildings, circle_polygon, countries, octagons, star

OPENCV = "opencv-python-headless"
MASKS = ("opencv", "silx")  # the peers that fill an array of zeros
CONTENDERS = []  # in the order of this file
contender = register_in(CONTENDERS)

FEW_OCTAGONS = Scene(key="octagons", title="300 octagons", shape=(400, 500), make=octagons(300))
OCTAGONS = tuple(
    Scene(key=key, title=f"{count:,} octagons", shape=(20000, 20000), make=octagons(count))
    for key, count in (("octagons-100k", 100_000), ("octagons-1m", 1_000_000))
)
TASKS = (
    Task(
        key="labels",
        result="an image of labels, int32, the last polygon on top",
        scenes=(
            *OCTAGONS,
            Scene(key="buildings", title="200,000 buildings", shape=(20000,) * 2,
                  make=buildings(200_000)),
            Scene(key="countries", title="the world's countries", shape=(8192, 16384),
                  make=countries),
        ),
        quick=(
            FEW_OCTAGONS,
            Scene(key="buildings", title="100 buildings", shape=(400, 500), make=buildings(100)),
        ),
    ),
    Task(
        key="counts",
        result="the number of pixels of each polygon",
        unit="polygons",
        scenes=OCTAGONS,
        quick=(FEW_OCTAGONS,),
    ),
    Task(
        key="coverage",
        result="the covered fraction of each pixel, float32",
        unit="fractions",
        near=1e-5,
        scenes=tuple(
            Scene(key=f"1024-{vertices}", title=f"a star of {vertices} vertices",
                  shape=(1024, 1024), make=star(vertices))
            for vertices in (24, 1000)
        ),
        quick=(
            Scene(key="100-24", title="a star of 24 vertices", shape=(100, 120), make=star(24)),
        ),
    ),
    Task(
        key="small",
        result="the mask of a small polygon in a large image, a new array unless kept",
        scenes=tuple(
            Scene(key=f"{size}-{radius}", title=f"a circle of 24 vertices, radius {radius}",
                  shape=(size, size), make=circle_polygon(radius))
            for size, radius in ((1024, 50), (8192, 50), (20000, 300))
        ),
        quick=(
            Scene(key="300-20", title="a circle of 24 vertices, radius 20", shape=(300, 300),
                  make=circle_polygon(20)),
        ),
    ),
)  # fmt: skip


def geometries(polygons):
    """Return an array of shapely's geometries."""
    import shapely

    levels = [offsets for offsets in polygons[1:] if offsets is not None]
    kinds = (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON)
    if len(levels) == 1:  # one ring per polygon: shapely needs the starts of polygons, too
        levels.append(np.arange(len(levels[0])))
    return shapely.from_ragged_array(kinds[len(levels) - 2], polygons.vertices, tuple(levels))


def extent(shape):
    """Return the west, south, east and north limits of an image sampled at the integers."""
    return -0.5, -0.5, shape[1] - 0.5, shape[0] - 0.5


def rings_of(polygons):
    """Return each feature as a list of its rings; the lists do not mark holes and parts."""
    starts, stops = polygons.rings_of(np.arange(polygons.features))
    ends = polygons.ring_offsets
    return [
        [polygons.vertices[ends[ring] : ends[ring + 1]] for ring in range(*limits)]
        for limits in zip(starts.tolist(), stops.tolist(), strict=True)
    ]


# An image of labels.


def label_mask(polygons, shape, threads=1):
    """Return a call to `polymask.label_mask`."""
    import polymask

    return lambda: polymask.label_mask(polygons, shape, dtype="int32", threads=threads)


for threads, key in (1, "polymask"), (2, "polymask: 2 threads"):
    register = contender(key, "labels", "polymask.label_mask, ragged arrays", threads=threads)
    register(functools.partial(label_mask, threads=threads))


@contender("polymask: shapely", "labels", "polymask.label_mask, shapely's geometries")
def labels_of_geometries(polygons, shape):
    """Return a call to `polymask.label_mask` with shapely's geometries; it includes conversion."""
    return label_mask(geometries(polygons), shape)


@contender(
    "rasterio", "labels", "rasterio.features.rasterize", "rasterio", "conversion of geometries"
)
def rasterio_labels(polygons, shape):
    """Return a call to rasterio (GDAL) with pairs of a geometry and its label."""
    from rasterio.features import rasterize
    from rasterio.transform import Affine

    shapes, centred = list(geometries(polygons)), Affine.translation(-0.5, -0.5)
    options, labels = {"out_shape": shape, "dtype": "int32"}, range(1, len(shapes) + 1)
    return lambda: rasterize(zip(shapes, labels, strict=True), transform=centred, **options)


@contender("rusterize", "labels", "rusterize.rusterize", "rusterize", "conversion of geometries")
def rusterize_labels(polygons, shape):
    """Return a call to rusterize, which makes rows from the north; a view reverses them."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    from rusterize import rusterize

    shapes = geometries(polygons)
    burn = np.arange(1, len(shapes) + 1, dtype=np.int32)
    options = {"background": 0, "encoding": "numpy", "dtype": "int32", "extent": extent(shape)}
    return lambda: rusterize(shapes, out_shape=shape, burn=burn, **options)[0, ::-1]


@contender("opencv", "labels", "cv2.fillPoly", OPENCV, "np.zeros, rounding to int32")
def opencv_labels(polygons, shape):
    """Return calls to OpenCV, one per polygon; it takes integers, and draws outlines, too."""
    import cv2

    cv2.setNumThreads(1)
    features = rings_of(polygons)

    def call():
        image = np.zeros(shape, np.int32)
        for label, rings in enumerate(features, start=1):
            cv2.fillPoly(image, [np.rint(ring).astype(np.int32) for ring in rings], label)
        return image

    return call


# Numbers of pixels.


def pixel_counts(polygons, shape, threads):
    """Return a call to `polymask.pixel_counts`."""
    import polymask

    return lambda: polymask.pixel_counts(polygons, shape, threads=threads)


for threads, key in (1, "polymask"), (2, "polymask: 2 threads"):
    register = contender(key, "counts", "polymask.pixel_counts, ragged arrays", threads=threads)
    register(functools.partial(pixel_counts, threads=threads))


@contender(
    "pycocotools", "counts", "pycocotools.mask.area", "pycocotools", "frPyObjects: run lengths"
)
def pycocotools_counts(polygons, shape):
    """Return a call to COCO's tools, which have another rule for the pixels of a polygon.

    Their `area` takes at most 255 polygons at once (2.0.11: it stores their number in a byte).
    """
    from pycocotools import mask

    rings = [ring.ravel().tolist() for (ring,) in rings_of(polygons)]

    def call():
        runs = mask.frPyObjects(rings, *shape)
        return np.concatenate([mask.area(runs[n : n + 255]) for n in range(0, len(runs), 255)])

    return call


# Fractions of pixels.


@contender("polymask", "coverage", "polymask.coverage")
def exact_areas(polygons, shape):
    """Return a call to `polymask.coverage`."""
    import polymask

    return lambda: polymask.coverage(polygons.vertices, shape)


@contender(
    "exactextract", "coverage", "exactextract.exact_extract", "exactextract", "its image, filled"
)
def exactextract_areas(polygons, shape):
    """Return a call to exactextract, which returns pixels and fractions as lists; y points up."""
    from exactextract import exact_extract
    from exactextract.raster import NumPyRasterSource

    rows, cols = shape
    image = NumPyRasterSource(np.zeros(shape, np.uint8), -0.5, 0.5 - rows, cols - 0.5, 0.5)
    ring = (polygons.vertices * (1, -1)).tolist()
    polygon = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
    feature = {"type": "Feature", "properties": {}, "geometry": polygon}

    def call():
        (result,) = exact_extract(image, [feature], ["cell_id", "coverage"])
        fractions = np.zeros(shape, np.float32)
        fractions.flat[result["properties"]["cell_id"]] = result["properties"]["coverage"]
        return fractions

    return call


# A small polygon in a large image.


@contender("polymask", "small", "polymask.polygon_mask")
def small_mask(polygons, shape):
    """Return a call to `polymask.polygon_mask`."""
    import polymask

    return lambda: polymask.polygon_mask(polygons.vertices, shape, dtype=np.uint8, threads=1)


@contender("polymask: kept", "small", "polymask.MaskBuffer, memory kept between calls")
def kept_mask(polygons, shape):
    """Return a call to a buffer, which clears the box of the previous call."""
    import polymask

    buffer = polymask.MaskBuffer(shape, dtype=np.uint8)
    return lambda: buffer.draw(polygons.vertices, threads=1)


@contender("opencv: kept", "small", "cv2.fillPoly, memory kept", OPENCV, "zeros in the old box")
def kept_opencv(polygons, shape):
    """Return a call to OpenCV with one array, whose box of the previous call is cleared first."""
    import cv2

    cv2.setNumThreads(1)
    image, box = np.zeros(shape, np.uint8), np.s_[:0, :0]

    def call():
        nonlocal box
        image[box] = 0
        ring = np.rint(polygons.vertices).astype(np.int32)
        x, y, width, height = cv2.boundingRect(ring)
        box = np.s_[y : y + height, x : x + width]
        cv2.fillPoly(image, [ring], 1)
        return image

    return call


for peer in peers.PEERS:
    if (key := peer.key.removeprefix("peer.")) in MASKS:
        contender(key, "small", peer.title, peer.package, peer.included)(
            lambda polygons, shape, peer=peer: functools.partial(
                peer.prepare(), polygons.vertices, shape
            )
        )
