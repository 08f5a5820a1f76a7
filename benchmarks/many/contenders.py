"""What is done with many polygons, by us and by other libraries, each as its users call it.

A contender is a function that imports its library, makes of a scene's polygons what its users have
before they call it (arrays, or shapely's geometries), and returns the call that is timed. Peers use
one thread; ours does where its row does not say two.
"""

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks import peers
from benchmarks.many.scenes import Scene, buildings, countries, octagons, one, star
from polymask.contract import Unavailable

MASKS = ("opencv", "silx", "skia")  # of peers: those that fill an array of zeros


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is asked for, of some scenes; results are arrays that can be held against each other."""

    key: str
    wanted: str  # in words
    unit: str  # what its elements are: "pixels" of the image, or "polygons"
    scenes: tuple
    quick: tuple  # small ones, for a first look and for tests
    near: float = 0  # elements that differ by no more are equal


TASKS = (
    Task(
        key="labels",
        wanted="an image of labels, int32, the last polygon on top",
        unit="pixels",
        scenes=(
            Scene(key="octagons-100k", title="100,000 octagons", shape=(20000,) * 2,
                  make=octagons(100_000)),
            Scene(key="octagons-1m", title="1,000,000 octagons", shape=(20000,) * 2,
                  make=octagons(1_000_000)),
            Scene(key="buildings", title="200,000 buildings", shape=(20000,) * 2,
                  make=buildings(200_000)),
            Scene(key="countries", title="the world's countries", shape=(8192, 16384),
                  make=countries),
        ),
        quick=(
            Scene(key="octagons", title="300 octagons", shape=(400, 500), make=octagons(300)),
            Scene(key="buildings", title="100 buildings", shape=(400, 500), make=buildings(100)),
        ),
    ),
    Task(
        key="counts",
        wanted="the number of pixels of each polygon",
        unit="polygons",
        scenes=(
            Scene(key="octagons-100k", title="100,000 octagons", shape=(20000,) * 2,
                  make=octagons(100_000)),
            Scene(key="octagons-1m", title="1,000,000 octagons", shape=(20000,) * 2,
                  make=octagons(1_000_000)),
        ),
        quick=(Scene(key="octagons", title="300 octagons", shape=(400, 500), make=octagons(300)),),
    ),
    Task(
        key="coverage",
        wanted="the part of each pixel that it covers, float32",
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
        wanted="the mask of a small polygon in a large image, a new array",
        unit="pixels",
        scenes=tuple(
            Scene(key=f"{size}-{radius}", title=f"a circle of 24 vertices, radius {radius}",
                  shape=(size, size), make=one(radius))
            for size, radius in ((1024, 50), (8192, 50), (20000, 300))
        ),
        quick=(
            Scene(key="300-20", title="a circle of 24 vertices, radius 20", shape=(300, 300),
                  make=one(20)),
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Contender:
    """One way to do a task."""

    key: str
    kind: str  # "ours" or "peer"
    task: str
    title: str  # the function that is called
    package: str
    prepare: Callable  # (`Ragged`, shape) to the call that is timed
    included: str = ""
    threads: int = 1

    def ready(self, polygons, shape):
        """Return the call that is timed; raise `Unavailable` where the library is not there."""
        try:
            return self.prepare(polygons, shape)
        except ModuleNotFoundError as error:
            raise Unavailable(f"the module {error.name} is not installed", peers.INSTALL) from None


CONTENDERS = []  # in the order of this file


def contender(key, task, title, package="", included="", threads=1):
    """Decorate the function that prepares a contender, and list it."""

    def listed(prepare):
        kind = "peer" if package else "ours"
        CONTENDERS.append(
            Contender(key=key, kind=kind, task=task, title=title, package=package, prepare=prepare,
                included=included, threads=threads)
        )  # fmt: skip
        return prepare

    return listed


def geometries(polygons):
    """Return shapely's geometries, an array."""
    import shapely

    of = [offsets for offsets in polygons[1:] if offsets is not None]
    kinds = (shapely.GeometryType.POLYGON, shapely.GeometryType.MULTIPOLYGON)
    if len(of) == 1:  # a ring each: shapely wants to be told where polygons begin
        of.append(np.arange(len(of[0])))
    return shapely.from_ragged_array(kinds[len(of) - 2], polygons.vertices, tuple(of))


def extent(shape):
    """Return west, south, east and north of an image whose samples are the integers."""
    return -0.5, -0.5, shape[1] - 0.5, shape[0] - 0.5


def rings_of(polygons):
    """Return each feature as a list of its rings; holes and parts are told apart by none."""
    first, last = polygons.rings_of(np.arange(polygons.features))
    ends = polygons.ring_offsets
    return [
        [polygons.vertices[ends[ring] : ends[ring + 1]] for ring in range(*both)]
        for both in zip(first.tolist(), last.tolist(), strict=True)
    ]


# An image of labels.


def label_mask(polygons, shape, threads=1):
    """Return the call of our `label_mask`."""
    import polymask

    return lambda: polymask.label_mask(polygons, shape, dtype="int32", threads=threads)


@contender("polymask", "labels", "polymask.label_mask, ragged arrays")
def labels_of_arrays(polygons, shape):
    """Return the call of ours from ragged arrays."""
    return label_mask(polygons, shape)


@contender("polymask: 2 threads", "labels", "polymask.label_mask, ragged arrays", threads=2)
def labels_by_threads(polygons, shape):
    """Return the same call by two threads."""
    return label_mask(polygons, shape, 2)


@contender("polymask: shapely", "labels", "polymask.label_mask, shapely's geometries")
def labels_of_geometries(polygons, shape):
    """Return the call of ours from shapely's geometries, whose conversion is timed."""
    return label_mask(geometries(polygons), shape)


@contender(
    "rasterio", "labels", "rasterio.features.rasterize", "rasterio", "conversion of geometries"
)
def rasterio_labels(polygons, shape):
    """Return the call of rasterio (GDAL), from pairs of a geometry and its label."""
    from rasterio.features import rasterize
    from rasterio.transform import Affine

    found, centred = list(geometries(polygons)), Affine.translation(-0.5, -0.5)
    return lambda: rasterize(
        zip(found, range(1, len(found) + 1), strict=True),
        out_shape=shape,
        transform=centred,
        dtype="int32",
    )


@contender("rusterize", "labels", "rusterize.rusterize", "rusterize", "conversion of geometries")
def rusterize_labels(polygons, shape):
    """Return the call of rusterize; it makes rows north up, and we turn a view over."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    from rusterize import rusterize

    found = geometries(polygons)
    burn = np.arange(1, len(found) + 1, dtype=np.int32)
    return lambda: rusterize(
        found,
        out_shape=shape,
        extent=extent(shape),
        burn=burn,
        background=0,
        encoding="numpy",
        dtype="int32",
    )[0, ::-1]


@contender(
    "opencv", "labels", "cv2.fillPoly", "opencv-python-headless", "np.zeros, rounding to int32"
)
def opencv_labels(polygons, shape):
    """Return the call of OpenCV: a polygon each; vertices are integers, and outlines drawn too."""
    import cv2

    cv2.setNumThreads(1)
    found = rings_of(polygons)

    def call():
        image = np.zeros(shape, np.int32)
        for label, rings in enumerate(found, start=1):
            cv2.fillPoly(image, [np.rint(ring).astype(np.int32) for ring in rings], label)
        return image

    return call


# Pixels of each polygon.


def pixel_counts(polygons, shape, threads):
    """Return the call of our `pixel_counts`."""
    import polymask

    return lambda: polymask.pixel_counts(polygons, shape, threads=threads)


@contender("polymask", "counts", "polymask.pixel_counts, ragged arrays")
def counts_of_arrays(polygons, shape):
    """Return the call of ours from ragged arrays."""
    return pixel_counts(polygons, shape, 1)


@contender("polymask: 2 threads", "counts", "polymask.pixel_counts, ragged arrays", threads=2)
def counts_by_threads(polygons, shape):
    """Return the same call by two threads."""
    return pixel_counts(polygons, shape, 2)


@contender(
    "pycocotools", "counts", "pycocotools.mask.area", "pycocotools", "frPyObjects: run lengths"
)
def pycocotools_counts(polygons, shape):
    """Return the call of COCO's tools, whose rule for the pixels of a polygon is another.

    Their `area` takes no more than 255 at once (2.0.11: it puts their number into a byte).
    """
    from pycocotools import mask

    found = [ring.ravel().tolist() for (ring,) in rings_of(polygons)]

    def call():
        runs = mask.frPyObjects(found, *shape)
        return np.concatenate([mask.area(runs[n : n + 255]) for n in range(0, len(runs), 255)])

    return call


# Fractions of pixels.


@contender("polymask", "coverage", "polymask.coverage")
def exact_areas(polygons, shape):
    """Return the call of ours."""
    import polymask

    return lambda: polymask.coverage(polygons.vertices, shape)


@contender(
    "exactextract", "coverage", "exactextract.exact_extract", "exactextract", "its image, filled"
)
def exactextract_areas(polygons, shape):
    """Return the call of exactextract, whose pixels and parts come as two lists; y points up."""
    from exactextract import exact_extract
    from exactextract.raster import NumPyRasterSource

    rows, cols = shape
    image = NumPyRasterSource(np.zeros(shape, np.uint8), -0.5, 0.5 - rows, cols - 0.5, 0.5)
    ring = (polygons.vertices * (1, -1)).tolist()
    shown = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
    feature = {"type": "Feature", "properties": {}, "geometry": shown}

    def call():
        (found,) = exact_extract(image, [feature], ["cell_id", "coverage"])
        parts = np.zeros(shape, np.float32)
        parts.flat[found["properties"]["cell_id"]] = found["properties"]["coverage"]
        return parts

    return call


# A small polygon in a large image.


@contender("polymask", "small", "polymask.polygon_mask")
def small_mask(polygons, shape):
    """Return the call of ours."""
    import polymask

    return lambda: polymask.polygon_mask(polygons.vertices, shape, dtype=np.uint8, threads=1)


def small_peer(peer):
    """List a library of `benchmarks.peers`."""

    @contender(peer.key.removeprefix("peer."), "small", peer.title, peer.package, peer.included)
    def prepare(polygons, shape):
        return functools.partial(peer.prepare(), polygons.vertices, shape)


for found in peers.PEERS:
    if found.key.removeprefix("peer.") in MASKS:
        small_peer(found)
