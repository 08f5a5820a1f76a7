"""An `out` that shares memory with what is read: the result is that of separate arrays."""

import numpy as np
import pytest
from polygons import HOLE, OUTER, SHAPE, TRIANGLE

import polymask
from polymask.geodata import geometry
from polymask.masks import _coverage, _engine, _many

PIXELS = SHAPE[0] * SHAPE[1]


def within(buffer, array):
    """A copy of an array at the beginning of a buffer."""
    view = buffer[: array.nbytes].view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


@pytest.mark.parametrize("name", ["label_mask", "polygon_masks", "rasterize"])
def test_out_over_the_arrays_of_many_polygons(name):
    function = getattr(polymask, name)
    vertices = np.concatenate([OUTER, HOLE])
    offsets = np.array([0, 4, 7])
    alone = function((vertices, offsets), SHAPE, dtype=np.uint8)
    for shift in (0, 8):  # at the beginning of what is read, and amid it
        buffer = np.zeros(2 * PIXELS + 8, np.uint8)
        shared = within(buffer, vertices), within(buffer[vertices.nbytes :], offsets)
        out = buffer[shift : shift + alone.size].reshape(alone.shape)
        before = out.copy()
        found = function(shared, SHAPE, out=out)
        keeps = name == "rasterize"  # what no polygon covers
        np.testing.assert_array_equal(found, np.where(alone > 0, alone, before) if keeps else alone)


OF = [lambda found: found, np.ravel, lambda found: [found], lambda found: [[found], [found]]]


@pytest.mark.parametrize("of", OF, ids=["array", "flat", "rings", "parts"])
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

    for name in ("bounding_box", "contains", "mask"):
        spy(_engine, name)
    for name in ("add", "fill", "touch"):
        spy(_coverage, name)
    spy(geometry, "are_computable")  # what is checked is what is read
    polymask.polygon_mask(of(vertices), SHAPE)
    polymask.polygon_mask(of(vertices), SHAPE, all_touched=True)
    polymask.contains(of(vertices), [(1, 1)])
    polymask.coverage(of(vertices), SHAPE)
    polymask.coverage(of(vertices), SHAPE, subpixels=2)
    assert {name for name, _ in seen} >= {"mask", "touch", "contains", "fill"}
    assert not any(shared for _, shared in seen)


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
