"""Every .cl file under sanitizers, with the sizes that the host gives, without a GPU or OpenCL."""

import hostile
import numpy as np
import polygons
import pytest
from sanitize import cuda_on_cpu
from sanitize.tools import Finding, Unavailable

import polymask
from ladder.registry import reference, workload
from polymask.cuda import device_polygons, tiles
from polymask.forms.ragged import ragged
from polymask.masks.sampling import DEFAULT
from polymask.masks.view import View

pytestmark = pytest.mark.slow  # the program is compiled for seconds; a launch takes 10 to 500 ms
same = np.testing.assert_array_equal

SHAPE = (19, 70)
WIDE = (3, 8300)  # more than a tile of bytes or of fractions
SQUARE = np.array([(20, 2), (28, 2), (28, 9), (20, 9.0)])  # on samples
OUTER = np.array([(2.25, 1.25), (57.25, 3.25), (9.25, 18.25)])  # on none, like the next two
HOLE = np.array([(10.25, 4.25), (20.25, 5.25), (11.25, 10.25)])
OTHER = SQUARE[::-1] + (20.25, 5.25)
STAR = np.random.default_rng(0).integers(-5, 75, (300, 2)).astype(float)  # compared in chunks


@pytest.fixture(scope="module", params=["address", "thread"])
def program(request, tmp_path_factory):
    """The program of all kernels."""
    try:
        return cuda_on_cpu.Program(request.param, tmp_path_factory.mktemp("kernels"))
    except Unavailable as missing:
        pytest.skip(str(missing))


@pytest.fixture
def cuda(program, monkeypatch):
    """polymask.cuda with these kernels, and few groups: 2 for each of 3 features, large for one."""
    monkeypatch.setattr(tiles, "ENOUGH", 6)
    monkeypatch.setattr(tiles, "FEW", 1)
    return program.polymask_cuda(monkeypatch)


def features(shape, border_value=True):
    """Return three features, the last of two polygons and a hole, and their masks by the rule."""
    scale = shape[1] / SHAPE[1], shape[0] / SHAPE[0]
    rings = np.floor(STAR * scale), SQUARE, OUTER * scale, HOLE * scale, OTHER
    star, square, outer, hole, other = (reference.mask(ring, shape, border_value) for ring in rings)
    parts = [[*map(polygons.closed, part)] for part in (rings[2:4], rings[4:])]
    given = [*rings[:2], polygons.geojson("MultiPolygon", parts)]
    return given, np.stack([star, square, outer ^ hole | other])


def draw_tiles(program, cuda):
    """All four kernels, with tiles of each kind, and rows of bytes at any address."""
    for shape, border_value in ((SHAPE, True), (WIDE, False)):
        given, masks = features(shape, border_value)
        same(cuda.polygon_masks(given, shape, border_value=border_value), masks)
        counts = cuda.pixel_counts(given, shape, border_value=border_value)
        same(counts, masks.sum(axis=(1, 2)))
        packed = cuda.polygon_mask(given[2], shape, border_value=border_value, packed=True)
        same(packed, np.packbits(masks[2], axis=1, bitorder="little"))
        labels = cuda.label_mask(given, shape, border_value=border_value)
        same(labels, (masks * np.uint8([1, 2, 3])[:, None, None]).max(axis=0))
    given, masks = features(SHAPE)
    south_up = {"transform": (1, 0, 0, 0, 1.5, 3)}
    same(cuda.label_mask(given, SHAPE, **south_up), polymask.label_mask(given, SHAPE, **south_up))
    same(cuda.coverage(OUTER, SHAPE, **south_up), polymask.coverage(OUTER, SHAPE, **south_up))
    frame = np.full((3, 25, 77), 7, np.uint8).view(cuda_on_cpu.Array)
    window = np.s_[:, 3:22, 5:75]
    prepared = device_polygons.of_polygons(given, View(SHAPE, DEFAULT), True)
    tiles.draw("draw_masks", prepared, SHAPE, DEFAULT, frame[window], windowed=True)
    expected = np.full_like(frame, 7)
    expected[window] = masks
    same(frame, expected)


def prepare_rings(program, cuda):
    """Points, boxes of chunks, windows and areas."""
    given, _ = features(SHAPE)
    prepared = device_polygons.of_polygons(given, View(SHAPE, DEFAULT), True)
    vertices, offsets = prepared.source[:2]
    rings = np.split(vertices, offsets[1:-1])
    closed = [np.vstack([ring, ring[:1], [(np.nan, np.nan)]]) for ring in rings]
    same(prepared.points, np.concatenate(closed))
    first = prepared.points[:33]  # of 32 edges
    same(prepared.boxes[0], [first[:, 1].min(), *first.max(axis=0)[::-1], first[:, 0].min()])
    same(device_polygons.areas(prepared)[1:], [56, 460.5 - 29.5 + 56])
    steps = np.r_[0:5, -50, 6:395, 450, 396:400]  # the sides are near its ends, or in its middle
    bent = [(steps + 1000 * k, abs(steps - 200)) for k in range(3)]
    bent = [np.roll(np.array(v, float).T, 200 * k, axis=0) for k, v in enumerate(bent)]
    view = View((700, 2700), DEFAULT._replace(offset=(-200, -200)))
    prepared = device_polygons.of_polygons(bent, view, True)
    ends = [np.r_[v.min(axis=0) + 199, v.max(axis=0) + 202][[1, 3, 0, 2]] for v in bent]
    same(device_polygons.windows(prepared, view.shape, view.sampling), ends)


def add_fractions(program, cuda):
    """Fractions of one and of several polygons, in rows of a group's width and of several."""
    for shape in (SHAPE, WIDE):
        given, _ = features(shape)
        for polygon in given[::2]:
            same(np.asarray(cuda.coverage(polygon, shape)), polymask.coverage(polygon, shape))


def scan_lines(program, cuda):
    """The rung, with groups that have few and many rows, and several tiles per row."""
    rung = cuda_on_cpu.scanline_cuda(program.kernel("scanline.cl", "polygon_mask"))
    for shape, work_group in ((21, 1009), None), ((3, 2500), (150, 2)), ((9, 70), (2, 3)):
        vertices = workload.polygon(24, shape, seed=1)
        mask = rung.make_mask(vertices, shape, False, work_group=work_group)
        same(mask, reference.mask(vertices, shape, False))


def pixels(program, cuda):
    """A mask, an item per pixel; groups extend beyond the image."""
    launch_ladder(program, "mask.cl", (11, 5), (7, 5))


def rows(program, cuda):
    """A mask, an item per row."""
    launch_ladder(program, "rows.cl", (19,), (1,))


def bands(program, cuda):
    """A mask whose first column and row are arguments."""
    launch_ladder(program, "mask_bands.cl", (11, 5), (7, 5), np.int64(0), np.int64(0))


def launch_ladder(program, file, grid, block, *more):
    """Compare the mask of a kernel that has the arguments of mask.cl, and perhaps more."""
    mask = np.empty(SHAPE, np.uint8)
    sizes = np.int64(4), np.int32(False), *map(np.int64, SHAPE)
    program.kernel(file, "polygon_mask")(grid, block, (SQUARE, *sizes, mask, *more))
    same(mask, reference.by_rule(SQUARE, SHAPE, False))


CASES = {
    "fractions.cl": add_fractions,
    "mask.cl": pixels,
    "mask_bands.cl": bands,
    "rings.cl": prepare_rings,
    "rows.cl": rows,
    "scanline.cl": scan_lines,
    "tiles.cl": draw_tiles,
}


@pytest.mark.parametrize("file", sorted(cuda_on_cpu.FILES))
def test_a_file_computes_without_a_finding(file, program, cuda):
    program.launched.clear()
    CASES[file](program, cuda)
    assert program.launched >= {name for name in program.names if name.startswith(file)}


def test_wrong_launches_are_found(program):
    kernel = program.kernel("mask.cl", "polygon_mask")
    given = [SQUARE, np.int64(4), np.int32(0), *map(np.int64, SHAPE), np.empty(SHAPE, np.uint8)]
    with pytest.raises(Finding, match="has 4 bytes"):
        kernel((11, 5), (7, 5), [SQUARE, np.int32(4), *given[2:]])
    with pytest.raises(Finding, match="refuses"):
        kernel((1, 65536), (70, 1), given)
    if program.sanitizer == "address":
        with pytest.raises(Finding, match="heap-buffer-overflow"):
            kernel((11, 5), (7, 5), [*given[:5], np.empty(19 * 70 - 1, np.uint8)])


@pytest.mark.parametrize("program", ["address"], indirect=True)
def test_hostile_polygons(program, cuda):
    for number in range(3):
        rng = np.random.default_rng(number)
        shape = tuple(rng.integers(1, (20, 40)))
        given, options = hostile.features(rng, shape, 12), hostile.sampling(rng)
        expected = polymask.polygon_masks(given, shape, **options)
        differs = np.asarray(cuda.polygon_masks(given, shape, **options)) != expected
        assert np.argwhere(differs).tolist() == [], (number, shape, options)
        for name in ("label_mask", "pixel_counts"):
            expected = getattr(polymask, name)(given, shape, **options)
            same(getattr(cuda, name)(given, shape, **options), expected)
        near = np.clip(given.vertices[:30], -(2.0**50), 2.0**50)
        same(cuda.coverage(near, shape), polymask.coverage(near, shape))


@pytest.mark.parametrize("program", ["address"], indirect=True)
def test_polygons_on_the_device_and_out(program, cuda):
    given, masks = features(SHAPE)
    arrays = ragged(given)
    device = [None if a is None else a.copy().view(cuda_on_cpu.Array) for a in arrays]
    frame = np.full((25, 77), 7, np.uint8).view(cuda_on_cpu.Array)
    window = frame[3:22, 5:75]
    for on_top in ("last", "first", "smallest"):
        assert cuda.label_mask(tuple(device), SHAPE, out=window, on_top=on_top) is window
        same(window, polymask.label_mask(given, SHAPE, on_top=on_top))
    same(frame[:3], 7)
    part = device[0], device[1][1:3]  # the second ring of larger arrays
    same(cuda.pixel_counts(part, SHAPE), masks[1].sum())
    same(cuda.polygon_mask(device[0][300:304], SHAPE, check=False), masks[1])
