"""Polygons on grids of other longitudes: `rasterize_like(wrap=True)` and `--wrap`."""

from fractions import Fraction

import numpy as np
import pytest
from cases import folded
from features import write
from polygons import COUNTRIES

import polymask
from polymask.maps.georeference import Affine

xarray = pytest.importorskip("xarray")

VALUES = np.arange(1, 1 + len(COUNTRIES["features"]))
STEP = 2.5


def grid(first, step=STEP, count=144):
    """Return a grid of the world whose first column has this longitude."""
    lat = np.arange(90 - step / 2, -90, -step)
    lon = first + step * np.arange(count)
    return xarray.DataArray(np.zeros((len(lat), count), np.uint8), {"lat": lat, "lon": lon})


def box(west, east, south=-10, north=10):
    return [(west, south), (east, south), (east, north), (west, north)]


def burn(shapes, like, **options):
    return polymask.rasterize_like(shapes, like, **options).values


@folded("on_top", ["last", "first"])
@folded("first", [0, -300, -360, 100])
@folded("middle", [STEP / 2, 0])  # of the first cell: with 0, centres lie on the 180th meridian
def test_grids_of_the_world_are_the_same_in_turn(first, middle, on_top):
    options = {"values": VALUES, "wrap": True, "on_top": on_top}
    expected = burn(COUNTRIES, grid(-180 + middle), **options)
    assert len(np.unique(expected)) > 100
    image = burn(COUNTRIES, grid(first + middle), **options)
    columns = round((first + 180) / STEP)
    np.testing.assert_array_equal(image, np.roll(expected, -columns, axis=1))
    if middle:
        without = burn(COUNTRIES, grid(-180 + middle), values=VALUES, on_top=on_top)
        np.testing.assert_array_equal(expected, without)


@folded("all_touched", [False, "closed", "open"])
@folded("merge_alg", ["replace", "add"])
def test_a_shape_is_the_union_of_its_turns(all_touched, merge_alg):
    """Coordinates are multiples of 1/64, so that turned vertices are exact."""
    r = np.random.default_rng(5)
    shapes = [
        np.column_stack([np.round(64 * r.normal(r.uniform(-500, 500), 90, 7)) / 64, y])
        for y in np.round(64 * r.uniform(-90, 90, (12, 7))) / 64
    ]
    shapes = [np.clip(shape, -720, 720) for shape in shapes]
    like = grid(-300 + STEP / 2)
    options = {"all_touched": all_touched, "merge_alg": merge_alg}
    image = burn(shapes, like, values=[2**n for n in range(12)], wrap=True, **options)
    bits = np.zeros_like(image)
    for number, shape in enumerate(shapes):
        turned = [shape + (turn, 0) for turn in np.arange(-1440, 1441, 360)]
        inside = burn(turned, like, all_touched=all_touched) > 0
        bits[inside] = bits[inside] + 2**number if merge_alg == "add" else 2**number
    np.testing.assert_array_equal(image, bits)


@folded("first", [-180 + STEP / 2, STEP / 2, -300 + STEP / 2, 180 + STEP / 2])
def test_shapes_across_the_180th_meridian(first):
    """Cut there, as in RFC 7946, or with longitudes beyond it: all are the same."""
    cut = {"type": "MultiPolygon", "coordinates": [[box(160, 180)], [box(-180, -150)]]}
    ways = [cut, box(160, 210), box(-200, -150), box(520, 570)]
    images = [burn([way], grid(first), wrap=True) for way in ways]
    lon = grid(first).lon.values % 360
    np.testing.assert_array_equal(images[0][36], (lon > 160) & (lon < 210))
    for image in images[1:]:
        np.testing.assert_array_equal(image, images[0])


def test_features_that_reach_no_grid_or_have_no_polygon():
    like = grid(1.25, count=24)
    assert not burn([box(100, 120), None], like, wrap=True).any()
    assert not burn([], like, wrap=True).any()
    with pytest.raises(ValueError, match="wrap needs on_top"):
        burn([], like, wrap=True, on_top="smallest")


def test_the_position_of_a_copy_is_rounded_once():
    r = np.random.default_rng(1)
    points = np.column_stack([r.uniform(-360, 360, 300).round(3), np.zeros(300)])
    turns = 360.0 * r.integers(-3, 4, 300)
    for c in (-179.95, 0.05, 0.1, 1e-9):
        pixels = Affine(0.5, 0, c, 0, -1, 0).to_pixels(points, turns)[:, 0]
        exact = [
            Fraction(x) + Fraction(east) - Fraction(c)
            for x, east in zip(points[:, 0].tolist(), turns.tolist(), strict=True)
        ]
        assert pixels.tolist() == [2 * float(position) for position in exact]


def test_a_grid_of_more_than_a_turn_repeats_itself():
    image = burn(COUNTRIES, grid(-540 + STEP / 2, count=360), values=VALUES, wrap=True)
    np.testing.assert_array_equal(image[:, :216], image[:, 144:])
    assert (image[:, :144] > 0).any(axis=0).sum() > 100


def test_copies_on_a_rotated_map():
    transform = Affine(0.5, 0.25, 3, 0.125, -1, 7)
    points, turns = np.array([[1.5, 2], [-8, 5], [100.25, 7]]), np.array([360.0, 720, -360])
    moved = points + np.column_stack([turns, np.zeros(3)])
    assert transform.to_pixels(points, turns).tolist() == transform.to_pixels(moved).tolist()


@folded(
    ("shapes", "like", "options", "message"),
    [
        ([box(0, 9), box(9, 721)], grid(0), {}, "polygon 1: its longitude 721.0 is more than 720"),
        ([box(5e5, 5.1e5)], grid(0), {}, "polygon 0: its longitude 500000.0"),
        ([box(0, 9)], grid(0, count=300), {}, "extends from -1.25 to 748.75"),
        ([box(0, 9)], grid(0), {"wrap": "no"}, "wrap must be True or False, got 'no'"),
    ],
)
def test_bad_longitudes(shapes, like, options, message):
    with pytest.raises(ValueError, match=message):
        burn(shapes, like, **({"wrap": True} | options))


def write_boxes(*polygons):
    """Write rings of boxes as features of a file."""
    rings = [[*ring, ring[0]] for ring in polygons]
    write(
        "boxes.geojson",
        *(
            {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [ring]}}
            for ring in rings
        ),
    )


GRID = "--shape", "72x144", "--bounds", "0,-90,360,90"


def test_the_commands_wrap_like_the_function(polymask):
    boxes = box(-8, 8), box(-15, 15), box(5, 25)
    write_boxes(*boxes)
    options = ["--wrap", "-o", "out.npy"]
    assert polymask("labels", "boxes.geojson", *GRID, *options)[0] == 0
    expected = burn(boxes, grid(1.25), values=[1, 2, 3], wrap=True)
    np.testing.assert_array_equal(np.load("out.npy"), expected)
    assert polymask("mask", "boxes.geojson", *GRID, "--wrap", "-o", "mask.npy")[0] == 0
    np.testing.assert_array_equal(np.load("mask.npy"), expected > 0)
    assert polymask("labels", "boxes.geojson", *GRID, *options, "--on-top", "smallest")[0] == 2
    np.save("image.npy", np.tile(np.arange(144), (72, 1)))
    _, out, _ = polymask("stats", "image.npy", "boxes.geojson", *GRID[2:], "--wrap")
    counts = [line.split(",")[:2] for line in out.splitlines()[1:]]
    columns = [[0, 1, 2, 141, 142, 143], [*range(6), *range(138, 144)], range(2, 10)]
    assert counts == [[str(8 * len(c)), str(8 * sum(c))] for c in columns]
