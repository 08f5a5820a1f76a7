"""The page "Coming from ...": the same mask by another library and here, side by side.

Code and rules are written here by hand, and the tests run every pair; all numbers are a result's.
"""

from dataclasses import dataclass

from polymask import saving
from polymask.bench import references
from polymask.report import figures, peers, table

SIDES = ("left", "top", "right", "bottom")


@dataclass(frozen=True)
class Library:
    """A function of another library, and what takes its place here.

    Attributes
    ----------
    title : str
        The function.
    key : str
        Its row in a result.
    there, here : str
        Code that makes `mask` of `polygon` (or of `geometry`, a GeoJSON-like dict) and `shape`,
        (rows, cols).
    inside : tuple of str
        Which sides of an upright rectangle count as inside there, the rectangle's corners being
        samples; None if that depends on the direction of the vertices.
    axes, border : str
        What differs in the axes and the arguments, and at the border.
    order : str
        The columns of `polygon`, in both.
    center : bool
        Whether both sample at the centres of pixels that begin at integers.
    """

    title: str
    key: str
    there: str
    here: str
    inside: tuple[str, ...] | None
    axes: str
    border: str
    order: str = "xy"
    center: bool = False


LIBRARIES = (
    Library(
        "skimage.draw.polygon2mask",
        "peer.skimage",
        """\
from skimage.draw import polygon2mask

mask = polygon2mask(shape, polygon)
""",
        """\
from polymask import polygon_mask

mask = polygon_mask(polygon, shape, order="rc")
""",
        SIDES,
        "The polygon comes first here, the shape second. Vertices are (row, column) there: "
        '`order="rc"` keeps them; without it, they are (x, y).',
        "Every sample on an edge or a vertex is inside there.",
        order="rc",
    ),
    Library(
        "matplotlib.path.Path",
        "peer.matplotlib",
        """\
import numpy as np
from matplotlib.path import Path

x, y = np.meshgrid(np.arange(shape[1]), np.arange(shape[0]))
samples = np.column_stack([x.ravel(), y.ravel()])
mask = Path(polygon).contains_points(samples).reshape(shape)
""",
        """\
from polymask import polygon_mask

mask = polygon_mask(polygon, shape)
""",
        None,
        "Vertices are (x, y) in both. Here no list of samples is needed; for points that lie on no "
        "grid there is `polymask.contains(polygon, points)`.",
        "There it depends on the direction in which the vertices run, and `radius` moves it; here "
        "the direction of vertices on integers changes nothing.",
    ),
    Library(
        "PIL.ImageDraw.polygon",
        "peer.pillow",
        """\
import numpy as np
from PIL import Image, ImageDraw

image = Image.new("L", (shape[1], shape[0]))
ImageDraw.Draw(image).polygon([tuple(vertex) for vertex in polygon], fill=1)
mask = np.asarray(image)
""",
        """\
from polymask import polygon_mask

mask = polygon_mask(polygon, shape, dtype="uint8")
""",
        SIDES,
        "Vertices are (x, y) in both. Sizes are (width, height) there, here always (rows, cols). "
        "`Image.fromarray(mask * 255)` makes a picture of the mask.",
        "There the outline is drawn as well: its pixels are inside even where their sample is "
        "outside, so the mask is larger than the polygon.",
    ),
    Library(
        "cv2.fillPoly",
        "peer.opencv",
        """\
import cv2
import numpy as np

mask = np.zeros(shape, np.uint8)
cv2.fillPoly(mask, [np.rint(polygon).astype(np.int32)], 1)
""",
        """\
from polymask import polygon_mask

mask = polygon_mask(polygon, shape, dtype="uint8")
""",
        SIDES,
        "Vertices are (x, y) in both, integers there (or fixed point, by `shift`), any real "
        "numbers here. There it draws into an image and leaves the rest; here `out=` is written "
        "everywhere. Several contours are rings of one polygon in both, by the even-odd rule.",
        "There the outline is drawn as well: its pixels are inside even where their sample is "
        "outside, so the mask is larger than the polygon.",
    ),
    Library(
        "rasterio.features.rasterize",
        "peer.rasterio",
        """\
from rasterio.features import rasterize

mask = rasterize([geometry], out_shape=shape, dtype="uint8")
""",
        """\
from polymask import polygon_mask

mask = polygon_mask(geometry, shape, dtype="uint8", center=True)
""",
        ("top", "right"),
        "Coordinates are (x, y) in both, and both take GeoJSON and shapely's geometries. With a "
        "`transform` they are on a map there; here they are pixels: apply `~transform` to them. "
        "`center=True` samples at the centres of pixels, as rasterio does. Values per geometry are "
        "`polymask.label_mask`.",
        "Samples on an edge are rare in coordinates of a map; where there is none, the masks are "
        "equal. `all_touched` has no counterpart here.",
        center=True,
    ),
    Library(
        "silx.image.shapes.Polygon",
        "peer.silx",
        """\
from silx.image.shapes import Polygon

mask = Polygon(polygon).make_mask(*shape)
""",
        """\
from polymask import polygon_mask

mask = polygon_mask(polygon, shape, dtype="uint8", order="rc")
""",
        ("left", "top"),
        'Vertices are (row, column) there: `order="rc"` keeps them. `Polygon.is_inside(row, col)` '
        'is `polymask.contains(polygon, [(row, col)], order="rc")` here, for any number of points.',
        "It computes in float32: in large images samples off the edges differ too.",
        order="rc",
    ),
)

INTRODUCTION = """\
# Coming from another library

The same mask there and here. `polygon` is an array of vertices, `geometry` a GeoJSON-like dict,
`shape` is (rows, cols).

Here a sample is a pixel's integer (x, y), or with `center=True` its centre. It is inside when an
odd number of edges lies to the right of it. Of an upright rectangle whose corners are samples,
{here} are inside, and all four corners
(`border_value=False` leaves vertices out). Libraries differ in which samples *on* an edge they
count as inside. Off the edges there is but one right answer: a library with pixels in that column
draws an outline, or rounds.

Times are for an array of vertices (x, y), a new mask and one thread, there and here (`threads=1`).
What is timed with each library, and where the numbers come from, stands at the end. Code is
tested; numbers are measured; `polymask report FILE.json ... --coming-from PAGE.md` makes the page.
"""
INSIDE_HERE = ("right", "bottom")


def page(results):
    """Return the page as Markdown.

    Parameters
    ----------
    results : list of Result
        With peers.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a result has no peers.
    """
    for result in results:
        if not result.with_peers:
            raise ValueError("a result without other libraries: measure it with --peers")
    parts = [INTRODUCTION.format(here=sides(INSIDE_HERE))]
    parts += [section(library, results) for library in LIBRARIES]
    parts.append("## Where the numbers come from\n")
    for result in results:
        parts.append(f"**{table.heading(result)}**\n")
        lines = peers.included(result) + table.machine_notes(result)
        parts.append("".join(f"- {line}\n" for line in lines))
    return "\n".join(parts)


def section(library, results):
    """Return what the page says of one library."""
    if library.inside is None:
        border = library.border
    else:
        border = f"Inside there: {sides(library.inside)} of a rectangle. {library.border}"
    lines = [
        f"## {library.title}",
        "",
        f"```python\n{library.there}```",
        "",
        f"```python\n{library.here}```",
        "",
        f"*Axes and arguments.* {library.axes}",
        "",
        f"*Border.* {border}",
        "",
        "| pixels | vertices | there | here | times as fast | differ on edges | off edges |",
        "|:--|--:|--:|--:|--:|--:|--:|",
        *(measured(library, result) for result in results),
    ]
    return "\n".join(lines) + "\n"


def sides(names):
    """Write which sides are meant: the right and the bottom side."""
    if set(names) == set(SIDES):
        return "all four sides"
    return f"the {' and the '.join(names)} side"


def measured(library, result):
    """Return the line of the library's table for one result."""
    there, here = result.row(library.key), result.row(references.API_FRESH)
    if not (there.ok and here.ok):
        bad = here if there.ok else there
        texts = [f"{bad.status}: {bad.reason}", "", "", "", ""]
    else:
        texts = [
            figures.seconds(there.median_s),
            figures.seconds(here.median_s),
            peers.times_as_fast(here, there),
            str(there.differ_on_edges),
            str(there.differ_off_edges),
        ]
    return "| " + " | ".join([table.image(result), str(result.workload.vertices), *texts]) + " |"


def write(results, file):
    """Write the page."""
    saving.write(file, page(results))
