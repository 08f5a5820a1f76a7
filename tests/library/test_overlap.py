"""An `out` that shares memory with what is read: the result is that of separate arrays."""

import numpy as np
import pytest
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, closed, geojson

import polymask
from polymask.masks import _coverage, _engine, _many

PIXELS = SHAPE[0] * SHAPE[1]


def within(buffer, array):
    """A copy of an array at the beginning of a buffer."""
    view = buffer[: array.nbytes].view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


def outs(buffer, dtype, shape):
    """Arrays to write to: at the beginning of the buffer, and amid what is read."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    for shift in (0, 8):
        yield buffer[shift : shift + size].view(dtype).reshape(shape)


def touched(polygon, shape, **options):
    return polymask.polygon_mask(polygon, shape, all_touched=True, **options)


def packed(polygon, shape, **options):
    return polymask.polygon_mask(polygon, shape, packed=True, **options)


ONE = {
    "polygon_mask": (polymask.polygon_mask, np.uint8, SHAPE),
    "all_touched": (touched, np.uint8, SHAPE),
    "packed": (packed, np.uint8, (SHAPE[0], 3)),
    "coverage": (polymask.coverage, np.float32, SHAPE),
}
MANY = {
    "label_mask": (polymask.label_mask, np.uint8, SHAPE),
    "polygon_masks": (polymask.polygon_masks, np.uint8, (2, *SHAPE)),
    "rasterize": (polymask.rasterize, np.uint8, SHAPE),
}


@pytest.mark.parametrize("name", ONE)
def test_out_over_the_vertices_of_one_polygon(name):
    function, dtype, shape = ONE[name]
    both = np.concatenate([OUTER, OUTER / 2 + (9, 5)])
    forms = {
        "array": lambda vertices: vertices,
        "rings": lambda vertices: [vertices[:4], vertices[4:]],
    }
    for form in forms.values():
        expected = function(form(both.copy()), SHAPE)
        for number in range(2):
            buffer = np.zeros(4 * PIXELS + 8, np.uint8)
            vertices = within(buffer, both)
            out = list(outs(buffer, dtype, shape))[number]
            assert np.shares_memory(out, vertices)
            np.testing.assert_array_equal(function(form(vertices), SHAPE, out=out), expected)


@pytest.mark.parametrize("name", ONE)
def test_out_over_the_parts_of_a_multipolygon(name):
    """GeoJSON's are lists, which are copied: only a list nested so of arrays can share memory."""
    function, dtype, shape = ONE[name]
    rings = [OUTER, TRIANGLE + 7.5]
    expected = function(geojson("MultiPolygon", [[closed(ring)] for ring in rings]), SHAPE)
    for number in range(2):
        buffer = np.zeros(4 * PIXELS + 8, np.uint8)
        first = within(buffer, rings[0])
        second = within(buffer[first.nbytes :], rings[1])
        out = list(outs(buffer, dtype, shape))[number]
        np.testing.assert_array_equal(function([[first], [second]], SHAPE, out=out), expected)


@pytest.mark.parametrize("name", MANY)
def test_out_over_the_arrays_of_many_polygons(name):
    function, dtype, shape = MANY[name]
    vertices = np.concatenate([OUTER, HOLE])
    offsets = np.array([0, 4, 7])
    options = {} if name == "polygon_masks" else {"dtype": np.uint8}
    alone = function((vertices, offsets), SHAPE, **options)
    for number in range(2):
        buffer = np.zeros(2 * PIXELS + 8, np.uint8)
        shared = within(buffer, vertices), within(buffer[vertices.nbytes :], offsets)
        out = list(outs(buffer, dtype, shape))[number]
        before = out.copy()
        found = function(shared, SHAPE, out=out)
        keeps = name == "rasterize"  # what no polygon covers
        np.testing.assert_array_equal(found, np.where(alone > 0, alone, before) if keeps else alone)


def test_out_over_runs():
    runs = [np.array([0, 1, 3]), np.array([2, 0, 5]), np.array([4, 9, 6])]
    expected = polymask.runs_to_mask(runs, SHAPE)
    buffer = np.zeros(PIXELS, np.uint8)
    shared = [within(buffer[24 * i :], column) for i, column in enumerate(runs)]
    out = buffer.reshape(SHAPE)
    np.testing.assert_array_equal(polymask.runs_to_mask(shared, SHAPE, out=out), expected)


@pytest.mark.parametrize("of", [lambda found: found, lambda found: [found]])
def test_compiled_code_reads_vertices_that_nobody_else_can_write_to(monkeypatch, of):
    """It looks where they lie, and relies on it: in a thread's midst others might be there."""
    vertices = np.array(OUTER, np.float64)
    seen = []

    def spy(module, name):
        made = getattr(module, name)

        def spied(first, *more):
            seen.append((name, np.shares_memory(first, vertices)))
            return made(first, *more)

        monkeypatch.setattr(module, name, spied)

    spy(_engine, "mask")
    spy(_engine, "contains")
    spy(_coverage, "fill")
    spy(_coverage, "touch")
    polymask.polygon_mask(of(vertices), SHAPE)
    polymask.polygon_mask(of(vertices), SHAPE, all_touched=True)
    polymask.contains(of(vertices), [(1, 1)])
    polymask.coverage(of(vertices), SHAPE)
    assert seen == [("mask", False), ("touch", False), ("contains", False), ("fill", False)]


def test_runs_are_copied_before_they_are_looked_at(monkeypatch):
    runs = [np.array(column) for column in ([0, 1], [1, 0], [3, 2])]
    shared, paint = [], _many.paint

    def spied(*columns):
        shared.extend(np.shares_memory(*pair) for pair in zip(columns[:3], runs, strict=True))
        return paint(*columns)

    monkeypatch.setattr(_many, "paint", spied)
    polymask.runs_to_mask(runs, (2, 4))
    assert shared == [False] * 3


def test_offsets_are_copied_before_they_are_looked_at(monkeypatch):
    """Vertices are copied by the engine, a polygon at a time; label_runs looks at them twice."""
    vertices = np.array([*OUTER, *TRIANGLE], np.float64)
    offsets = [np.array([0, 4, 7]), np.array([0, 1, 2]), np.array([0, 1, 2])]
    shared, many = [], _many.Many

    def spied(found, *how):
        shared.append([np.shares_memory(*pair) for pair in zip(found[1:], offsets, strict=True)])
        shared[-1].append(np.shares_memory(found.vertices, vertices))
        return many(found, *how)

    monkeypatch.setattr(_many, "Many", spied)
    polymask.pixel_counts((vertices, *offsets), SHAPE)
    polymask.label_runs((vertices, *offsets), SHAPE)
    assert shared == [[False, False, False, True], [False] * 4]
