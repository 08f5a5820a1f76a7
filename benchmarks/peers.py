"""Other libraries that fill polygons: what a reader would use instead, called as its users call it.

Each peer is a function that imports its library and returns `make_mask(vertices, shape)`: a new
mask of uint8 or bool, by the even-odd rule wherever the library offers it. All of them sample at
the integers: libraries that put a pixel's centre at (0.5, 0.5) are moved by half a pixel.
Whatever stands inside `make_mask` is timed, as everyone who starts from an array of vertices
pays for it. The peers use one thread; of those that could use more, the first lines say how.

No fast library is exact on the edges, so a peer's mask is never wrong. Its differing pixels are
counted, on the edges and off them (`benchmarks.edge_distance`).

`rows` makes what `polymask bench --peers` measures beside the rungs: `polygon_mask`, and the peers.
"""

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import polymask
from benchmarks import edge_distance
from polymask.bench.measurement import Measurement
from polymask.bench.result import API_FRESH, API_OUT
from polymask.contract import Unavailable
from polymask.ladder import registry

INSTALL = "pip install 'polymask[peers]'"
PATIENCE = 30.0  # seconds a call that a comparison with libraries is willing to wait
PEERS = []  # in the order of this file


def rungs():
    """Return the rungs that libraries are held against: not those that call Python for each pixel.

    The cost of these is the call, and a large image would take them hours.
    """
    return [rung for rung in registry.RUNGS if not (rung.work and rung.work.calls_per_pixel)]


def rows():
    """Return the rows beside the rungs: `polygon_mask`, and other libraries."""
    once = {"has_band": False}  # always fast
    return [
        Measurement(API_FRESH, "api", "polygon_mask, a new array", load=api_fresh, **once),
        Measurement(API_OUT, "api", "polygon_mask, out=", mask="out", load=api_out, **once),
        *map(PeerMeasurement.of, PEERS),
    ]


def api_fresh():
    """Return the `make_mask` of a user of `polygon_mask`: a new array, one thread."""
    polygon_mask = polymask.polygon_mask
    return lambda vertices, shape: polygon_mask(vertices, shape, dtype=np.uint8, threads=1)


def api_out():
    """Return the same into one existing array, of the shape asked for first."""
    polygon_mask, out = polymask.polygon_mask, None

    def make_mask(vertices, shape):
        nonlocal out
        if out is None:
            out = np.full(shape, 255, np.uint8)  # a byte left out would be a wrong one
        return polygon_mask(vertices, shape, out=out, threads=1)

    return make_mask


class PeerMeasurement(Measurement):
    """A library's row: never wrong, as its differing pixels are counted by how near an edge is."""

    @classmethod
    def of(cls, peer):
        """Return the measurement of a peer."""
        texts = {"package": peer.package, "included": peer.included}
        return cls(peer.key, "peer", peer.title, load=peer.load, **texts)

    def prepare(self, vertices, shape):
        """Import the library, and note what to look for edges in."""
        super().prepare(vertices, shape)
        self.edges = functools.partial(edges_of, vertices.tobytes(), shape)

    def fail(self, reason):
        """Skip the row: a library may refuse what is too large for it."""
        self.skip(reason)

    def check(self, mask, expected):
        """Count where the mask differs from the right one: on edges, off them, and far from all."""
        if mask.shape != expected.shape:
            self.skip(f"made a mask of shape {mask.shape}, not {expected.shape}")
            return
        on, near = self.edges()
        differs = (mask != 0) != (expected != 0)
        self.differ_on_edges = int(np.count_nonzero(differs & on))
        self.differ_off_edges = int(np.count_nonzero(differs)) - self.differ_on_edges
        self.differ_far = int(np.count_nonzero(differs & ~near))


@functools.lru_cache(maxsize=1)  # all peers have the same
def edges_of(vertices, shape):
    """Return which samples lie on an edge, and which near one; vertices are bytes of float64."""
    xy = np.frombuffer(vertices).reshape(-1, 2)
    return [
        edge_distance.within(distance, xy, shape)
        for distance in (edge_distance.ON, edge_distance.NEAR)
    ]


@dataclass(frozen=True)
class Peer:
    """One library, and the way in which it makes the mask."""

    key: str
    title: str  # the library's function that fills
    package: str  # what pip calls it
    prepare: Callable  # imports the library and returns its `make_mask`
    included: str  # what is timed beside that function, if anything, for the notes of the table
    install: str

    def load(self):
        """Import the library and return its `make_mask`; raise `Unavailable` if that fails."""
        try:
            return self.prepare()
        except ModuleNotFoundError as error:
            # not `package`: a library may itself lack one that it needs
            reason = f"the module {error.name} is not installed"
            raise Unavailable(reason, self.install) from None
        except Exception as error:  # a shared library that is not there, another NumPy's binary
            raise Unavailable(f"{self.package} cannot be imported: {error}", self.install) from None


def peer(title, package, included="", install=INSTALL):
    """Decorate the function that prepares a library, and list it by that function's name."""

    def listed(prepare):
        PEERS.append(Peer(f"peer.{prepare.__name__}", title, package, prepare, included, install))
        return prepare

    return listed


@peer("silx.image.shapes.polygon_fill_mask", "silx")
def silx():
    """Return the `make_mask` of silx: vertices are rows and columns."""
    from silx.image.shapes import polygon_fill_mask

    return lambda vertices, shape: polygon_fill_mask(vertices[:, ::-1], shape)


@peer("skimage.draw.polygon2mask", "scikit-image")
def skimage():
    """Return the `make_mask` of scikit-image: vertices are rows and columns."""
    from skimage.draw import polygon2mask

    return lambda vertices, shape: polygon2mask(shape, vertices[:, ::-1])


@peer("cv2.fillPoly", "opencv-python-headless", "np.zeros, vertices rounded to int32")
def opencv():
    """Return the `make_mask` of OpenCV: vertices are integers, and it draws the outline too."""
    import cv2

    cv2.setNumThreads(1)

    def make_mask(vertices, shape):
        mask = np.zeros(shape, np.uint8)
        cv2.fillPoly(mask, [np.rint(vertices).astype(np.int32)], 1)
        return mask

    return make_mask


@peer("PIL.ImageDraw.polygon", "pillow", "Image.new, vertices as a list, np.asarray")
def pillow():
    """Return the `make_mask` of Pillow: it draws the outline too."""
    from PIL import Image, ImageDraw

    def make_mask(vertices, shape):
        image = Image.new("L", shape[::-1])
        ImageDraw.Draw(image).polygon(vertices.ravel().tolist(), fill=1)
        return np.asarray(image)

    return make_mask


@peer("matplotlib.path.Path.contains_points", "matplotlib", "the coordinates of all pixels")
def matplotlib():
    """Return the `make_mask` of matplotlib: each sample is a point of its own."""
    from matplotlib.path import Path

    def make_mask(vertices, shape):
        samples = np.empty((*shape, 2))
        samples[..., 0] = np.arange(shape[1])
        samples[..., 1] = np.arange(shape[0])[:, np.newaxis]
        return Path(vertices).contains_points(samples.reshape(-1, 2)).reshape(shape)

    return make_mask


@peer("shapely.contains_xy", "shapely", "shapely.Polygon, shapely.prepare")
def shapely():
    """Return the `make_mask` of shapely: each sample is a point, the polygon is prepared."""
    import shapely

    def make_mask(vertices, shape):
        polygon = shapely.Polygon(vertices)
        shapely.prepare(polygon)
        x, y = np.arange(shape[1]), np.arange(shape[0])[:, np.newaxis]
        return shapely.contains_xy(polygon, x, y)

    return make_mask


@peer("rasterio.features.rasterize", "rasterio", "vertices as GeoJSON")
def rasterio():
    """Return the `make_mask` of rasterio (GDAL): a pixel counts by its centre."""
    from rasterio.features import rasterize
    from rasterio.transform import Affine

    centred = Affine.translation(-0.5, -0.5)

    def make_mask(vertices, shape):
        polygon = {"type": "Polygon", "coordinates": [vertices.tolist()]}
        return rasterize([polygon], out_shape=shape, transform=centred, dtype="uint8")

    return make_mask


@peer("skia.Canvas.drawPath", "skia-python", "np.zeros, vertices as points, a path and a surface")
def skia():
    """Return the `make_mask` of Skia without anti-aliasing, drawn into an array of opacities."""
    import skia

    # opacity 1 of 255, stored: blending it would take several times as long
    paint = skia.Paint(AntiAlias=False, Color=0x01000000, BlendMode=skia.BlendMode.kSrc)

    def make_mask(vertices, shape):
        rows, cols = shape
        mask = np.zeros(shape, np.uint8)
        points = [skia.Point(x, y) for x, y in vertices.tolist()]
        path = skia.Path.Polygon(points, True, skia.PathFillType.kEvenOdd)
        image = skia.ImageInfo.MakeA8(cols, rows)
        with skia.Surface.MakeRasterDirect(image, mask, cols) as canvas:
            canvas.translate(0.5, 0.5)
            canvas.drawPath(path, paint)
        return mask

    return make_mask


@peer(
    "cairo.Context.fill",
    "pycairo",
    "vertices as line_to, a surface",
    "pip install pycairo, which compiles it: install cairo's headers before",
)
def cairo():
    """Return the `make_mask` of cairo without anti-aliasing, drawn into opacities."""
    import cairo

    def make_mask(vertices, shape):
        rows, cols = shape
        surface = cairo.ImageSurface(cairo.FORMAT_A8, cols, rows)
        context = cairo.Context(surface)
        context.set_antialias(cairo.ANTIALIAS_NONE)
        context.set_fill_rule(cairo.FILL_RULE_EVEN_ODD)
        context.set_source_rgba(0, 0, 0, 1 / 255)
        context.translate(0.5, 0.5)
        for x, y in vertices.tolist():
            context.line_to(x, y)
        context.fill()
        surface.flush()
        opacities = np.frombuffer(surface.get_data(), np.uint8)
        return opacities.reshape(rows, surface.get_stride())[:, :cols]

    return make_mask


@peer("rusterize.rusterize", "rusterize", "shapely.Polygon")
def rusterize():
    """Return the `make_mask` of rusterize: rows come north up, and a pixel counts by its centre."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    import shapely
    from rusterize import rusterize

    def make_mask(vertices, shape):
        rows, cols = shape
        bands = rusterize(
            [shapely.Polygon(vertices)],
            out_shape=shape,
            extent=(-0.5, -0.5, cols - 0.5, rows - 0.5),
            burn=1,
            background=0,
            encoding="numpy",
            dtype="uint8",
        )
        return bands[0, ::-1]

    return make_mask
