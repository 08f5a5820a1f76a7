"""Other libraries that fill polygons ("peers"), each called as its users would call it.

Each peer is a function that imports its library and returns `make_mask(vertices, shape)`, which
makes a new mask of uint8 or bool, by the even-odd rule if the library offers it. All peers sample
at the integers: for libraries with pixel centres at (0.5, 0.5), coordinates are shifted by half a
pixel. The whole of `make_mask` is timed, as every user with an array of vertices has its costs.
All peers use one thread; those that could use more are limited in their first lines.

No fast library is exact on the edges, so a peer's mask is never wrong. Its differing pixels are
counted, on the edges and off them (`benchmarks.edge_distance`).

`rows` makes the rows of `polymask bench --peers` besides the rungs: `polygon_mask`, and the peers.
"""

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import polymask
from benchmarks import edge_distance
from benchmarks.harness.tasks import INSTALL
from ladder import registry
from ladder.bench.measurement import Measurement
from ladder.bench.result import API_FRESH, API_OUT
from polymask.contract import Unavailable

PEERS = []  # in the order of this file


def rungs():
    """Return the rungs to compare with libraries, except those that call Python for each pixel.

    These spend their time in the calls, and would take hours for a large image.
    """
    return [rung for rung in registry.RUNGS if not (rung.work and rung.work.calls_per_pixel)]


def rows():
    """Return the rows besides the rungs: `polygon_mask`, and other libraries."""
    fast = {"has_band": False}  # no estimate is necessary
    return [
        Measurement(API_FRESH, "api", "polygon_mask, a new array", load=api_fresh, **fast),
        Measurement(API_OUT, "api", "polygon_mask, out=", mask="out", load=api_out, **fast),
        *map(PeerMeasurement.of, PEERS),
    ]


def api_fresh():
    """Return a `make_mask` that calls `polygon_mask` for a new array, with one thread."""
    polygon_mask = polymask.polygon_mask
    return lambda vertices, shape: polygon_mask(vertices, shape, dtype=np.uint8, threads=1)


def api_out():
    """Return a `make_mask` that fills one array in all calls; its shape is that of the first."""
    polygon_mask, out = polymask.polygon_mask, None

    def make_mask(vertices, shape):
        nonlocal out
        if out is None:
            out = np.full(shape, 255, np.uint8)  # an omitted pixel counts as wrong
        return polygon_mask(vertices, shape, out=out, threads=1)

    return make_mask


class PeerMeasurement(Measurement):
    """A library's row: never wrong; its differing pixels are counted by their distance to edges."""

    @classmethod
    def of(cls, peer):
        """Return the measurement of a peer."""
        texts = {"package": peer.package, "included": peer.included}
        return cls(peer.key, "peer", peer.title, load=peer.load, **texts)

    def prepare(self, vertices, shape):
        """Import the library, and bind the polygon and the shape to the search for edges."""
        super().prepare(vertices, shape)
        self.edges = functools.partial(edges_of, vertices.tobytes(), shape)

    def fail(self, reason):
        """Skip the row, as a library may refuse a large input."""
        self.skip(reason)

    def check(self, mask, expected):
        """Count the differing pixels of a mask: on edges, off the edges, and far from all edges."""
        if mask.shape != expected.shape:
            self.skip(f"made a mask of shape {mask.shape}, not {expected.shape}")
            return
        on, near = self.edges()
        differs = (mask != 0) != (expected != 0)
        self.differ_on_edges = int(np.count_nonzero(differs & on))
        self.differ_off_edges = int(np.count_nonzero(differs)) - self.differ_on_edges
        self.differ_far = int(np.count_nonzero(differs & ~near))


@functools.lru_cache(maxsize=1)  # for all peers
def edges_of(vertices, shape):
    """Return which samples lie on an edge and which lie near one; vertices are bytes of float64."""
    xy = np.frombuffer(vertices).reshape(-1, 2)
    return [
        edge_distance.within(distance, xy, shape)
        for distance in (edge_distance.ON, edge_distance.NEAR)
    ]


@dataclass(frozen=True)
class Peer:
    """A library, and its way to make the mask."""

    key: str
    title: str  # the library's function that fills polygons
    package: str  # its name for pip
    prepare: Callable  # imports the library and returns its `make_mask`
    included: str  # other work that is timed with the function, for the table's notes

    def load(self):
        """Import the library and return its `make_mask`; raise `Unavailable` if that fails."""
        try:
            return self.prepare()
        except ModuleNotFoundError as error:
            # not `package`: a dependency of the library may be missing
            reason = f"the module {error.name} is not installed"
            raise Unavailable(reason, INSTALL) from None
        except Exception as error:  # a missing shared library, a binary for another NumPy
            raise Unavailable(f"{self.package} cannot be imported: {error}", INSTALL) from None


def peer(title, package, included=""):
    """Decorate the function that prepares a library, and list the library under its name."""

    def register(prepare):
        PEERS.append(Peer(f"peer.{prepare.__name__}", title, package, prepare, included))
        return prepare

    return register


@peer("silx.image.shapes.polygon_fill_mask", "silx")
def silx():
    """Return the `make_mask` of silx, which takes vertices as (row, column)."""
    from silx.image.shapes import polygon_fill_mask

    return lambda vertices, shape: polygon_fill_mask(vertices[:, ::-1], shape)


@peer("skimage.draw.polygon2mask", "scikit-image")
def skimage():
    """Return the `make_mask` of scikit-image, which takes vertices as (row, column)."""
    from skimage.draw import polygon2mask

    return lambda vertices, shape: polygon2mask(shape, vertices[:, ::-1])


@peer("cv2.fillPoly", "opencv-python-headless", "np.zeros, vertices rounded to int32")
def opencv():
    """Return the `make_mask` of OpenCV, which takes integers, and draws the outline, too."""
    import cv2

    cv2.setNumThreads(1)

    def make_mask(vertices, shape):
        mask = np.zeros(shape, np.uint8)
        cv2.fillPoly(mask, [np.rint(vertices).astype(np.int32)], 1)
        return mask

    return make_mask


@peer("PIL.ImageDraw.polygon", "pillow", "Image.new, vertices as a list, np.asarray")
def pillow():
    """Return the `make_mask` of Pillow, which draws the outline, too."""
    from PIL import Image, ImageDraw

    def make_mask(vertices, shape):
        image = Image.new("L", shape[::-1])
        ImageDraw.Draw(image).polygon(vertices.ravel().tolist(), fill=1)
        return np.asarray(image)

    return make_mask


@peer("matplotlib.path.Path.contains_points", "matplotlib", "the coordinates of all pixels")
def matplotlib():
    """Return the `make_mask` of matplotlib, which tests each sample as a point."""
    from matplotlib.path import Path

    def make_mask(vertices, shape):
        samples = np.empty((*shape, 2))
        samples[..., 0] = np.arange(shape[1])
        samples[..., 1] = np.arange(shape[0])[:, np.newaxis]
        return Path(vertices).contains_points(samples.reshape(-1, 2)).reshape(shape)

    return make_mask


@peer("shapely.contains_xy", "shapely", "shapely.Polygon, shapely.prepare")
def shapely():
    """Return the `make_mask` of shapely, which tests each sample in a prepared polygon."""
    import shapely

    def make_mask(vertices, shape):
        polygon = shapely.Polygon(vertices)
        shapely.prepare(polygon)
        x, y = np.arange(shape[1]), np.arange(shape[0])[:, np.newaxis]
        return shapely.contains_xy(polygon, x, y)

    return make_mask


@peer("rasterio.features.rasterize", "rasterio", "vertices as GeoJSON")
def rasterio():
    """Return the `make_mask` of rasterio (GDAL), which samples at pixel centres."""
    from rasterio.features import rasterize
    from rasterio.transform import Affine

    centred = Affine.translation(-0.5, -0.5)

    def make_mask(vertices, shape):
        polygon = {"type": "Polygon", "coordinates": [vertices.tolist()]}
        return rasterize([polygon], out_shape=shape, transform=centred, dtype="uint8")

    return make_mask


@peer("rusterize.rusterize", "rusterize", "shapely.Polygon")
def rusterize():
    """Return the `make_mask` of rusterize, which samples at centres, with rows from the north."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    import shapely
    from rusterize import rusterize

    def make_mask(vertices, shape):
        options = {"burn": 1, "background": 0, "encoding": "numpy", "dtype": "uint8"}
        extent = (-0.5, -0.5, shape[1] - 0.5, shape[0] - 0.5)
        polygon = shapely.Polygon(vertices)
        return rusterize([polygon], out_shape=shape, extent=extent, **options)[0, ::-1]

    return make_mask
