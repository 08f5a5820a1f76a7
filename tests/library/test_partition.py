"""`border_value=None`: the plain half-open rule, by which tiles of the plane share no pixel."""

import random

import numpy as np
import shapely
from cases import folded
from polygons import random_polygons

import polymask
from polymask.ladder import reference

# Of a tiled box from (0, 0): what is half open has neither its upper nor its left border.
SHAPE, WINDOW = (80, 100), {"offset": (1, 1)}
CORNERS = {(0, 0), (100, 0), (0, 80), (100, 80)}


def places(seed, count=60):
    r = random.Random(seed)
    drawn = {(r.randint(0, 100), r.randint(0, 80)) for _ in range(count)}
    return shapely.MultiPoint(sorted(drawn | CORNERS)), r


def delaunay(seed):
    """Triangles between places at whole pixels, whose edges run either way."""
    points, r = places(seed)
    rings = [np.array(t.exterior.coords)[:-1] for t in shapely.delaunay_triangles(points).geoms]
    return [ring[:: r.choice([1, -1])] for ring in rings]


def voronoi(seed):
    """Voronoi cells whose corners were rounded to whole pixels."""
    points, _ = places(seed)
    cells = shapely.voronoi_polygons(points, extend_to=shapely.box(0, 0, 100, 80)).geoms
    rings = [np.rint(np.array(cell.exterior.coords)) for cell in cells]
    cells = np.array([shapely.Polygon(ring) for ring in rings])
    assert shapely.coverage_is_valid(cells)  # rounded, they still share whole edges
    return rings


def boxes(seed):
    """Boxes between lines at whole pixels: their corners lie amid the edges of others."""
    r = random.Random(seed)
    done, todo = [], [(0, 0, 100, 80)]
    while todo:
        left, top, right, bottom = todo.pop()
        if right - left > 40 or (right - left > 8 and r.random() < 0.7):
            cut = r.randint(left + 1, right - 1)
            todo += [(left, top, cut, bottom), (cut, top, right, bottom)]
        elif bottom - top > 8 and r.random() < 0.9:
            cut = r.randint(top + 1, bottom - 1)
            todo += [(left, top, right, cut), (left, cut, right, bottom)]
        else:
            done.append([(left, top), (right, top), (right, bottom), (left, bottom)])
    return done


def counts(polygons, **options):
    masks = (polymask.polygon_mask(p, SHAPE, dtype="uint8", **options) for p in polygons)
    return sum(mask.astype(int) for mask in masks)


@folded("tiles", [delaunay, voronoi, boxes])
@folded("seed", range(4))
def test_every_pixel_is_in_one_tile(tiles, seed):
    tiles = tiles(seed)
    how = {"border_value": None, **WINDOW}
    assert (counts(tiles, **how) == 1).all()
    for value in (True, False):  # else corners are in many, or in none
        assert (counts(tiles, border_value=value, **WINDOW) != 1).any()
    assert polymask.pixel_counts(tiles, SHAPE, **how).sum() == SHAPE[0] * SHAPE[1]
    one_by_one = polymask.label_mask(tiles, SHAPE, on_top="first", **how)
    assert one_by_one.all()
    np.testing.assert_array_equal(polymask.label_mask(tiles, SHAPE, **how), one_by_one)
    y, x = np.indices(SHAPE) + 1
    samples = np.column_stack([x.ravel(), y.ravel()])
    inside = (polymask.contains(tile, samples, border_value=None) for tile in tiles)
    assert (sum(found.astype(int) for found in inside) == 1).all()


def test_real_vertices_on_samples_with_watertight():
    """A fan about a sample; its other corners are real numbers."""
    r = random.Random(3)
    middle = (50.0, 40.0)
    angles = sorted(r.uniform(0, 2 * np.pi) for _ in range(30))
    rim = [(50 + 300 * np.cos(a), 40 + 300 * np.sin(a)) for a in angles]
    fan = [[middle, rim[i - 1], rim[i]][:: r.choice([1, -1])] for i in range(len(rim))]
    assert (counts(fan, border_value=None, watertight=True) == 1).all()
    assert counts(fan, watertight=True)[40, 50] == len(fan)


def test_equals_the_reference_in_every_function():
    for vertices, shape in random_polygons(36, seed=8):
        expected = reference.by_rule(vertices, shape, None)
        np.testing.assert_array_equal(reference.by_rows(vertices, shape, None), expected)
        how = {"border_value": None}
        mask = polymask.polygon_mask(vertices, shape, **how)
        np.testing.assert_array_equal(mask, expected)
        runs = polymask.polygon_runs(vertices, shape, **how)
        np.testing.assert_array_equal(polymask.runs_to_mask(runs, shape), mask)
        stack = polymask.polygon_masks([vertices], shape, **how)
        np.testing.assert_array_equal(stack[0], mask)
        bits = polymask.polygon_mask(vertices, shape, packed=True, **how)
        np.testing.assert_array_equal(bits, np.packbits(mask, axis=1, bitorder="little"))
        (count,) = polymask.pixel_counts([vertices], shape, **how)
        assert count == mask.sum()


def test_centres():
    """With `center` it is vertices at halves that lie on samples."""
    square = [(0.5, 0.5), (3.5, 0.5), (3.5, 2.5), (0.5, 2.5)]
    found = polymask.polygon_mask(square, (4, 5), center=True, border_value=None, dtype="uint8")
    assert found.tolist() == [[0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]
    burnt = polymask.rasterize([square], (4, 5), border_value=None)
    np.testing.assert_array_equal(burnt, found)
