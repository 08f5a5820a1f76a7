"""An `out` that shares memory with the input: the result is that of separate arrays."""

import numpy as np
import pytest
from polygons import HOLE, OUTER, SHAPE, TRIANGLE

import polymask
from polymask.forms import geometry
from polymask.masks import _coverage, _engine, _many

PIXELS = SHAPE[0] * SHAPE[1]


def copy_into(buffer, array):
    """Copy an array to the beginning of a buffer; return the copy."""
    view = buffer[: array.nbytes].view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


@pytest.mark.parametrize("name", ["label_mask", "polygon_masks", "rasterize"])
def test_out_over_the_arrays_of_many_polygons(name):
    function = getattr(polymask, name)
    vertices = np.concatenate([OUTER, HOLE])
    offsets = np.array([0, 4, 7])
    plain = function((vertices, offsets), SHAPE, dtype=np.uint8)
    for shift in (0, 8):  # at the beginning of the input, and inside it
        buffer = np.zeros(2 * PIXELS + 8, np.uint8)
        shared = copy_into(buffer, vertices), copy_into(buffer[vertices.nbytes :], offsets)
        out = buffer[shift : shift + plain.size].reshape(plain.shape)
        before = out.copy()
        image = function(shared, SHAPE, out=out)
        keeps = name == "rasterize"  # pixels outside all polygons
        np.testing.assert_array_equal(image, np.where(plain > 0, plain, before) if keeps else plain)


def test_out_over_the_vertices_of_one_polygon():
    """The formula reads vertices beyond 2**21 in each row, after rows above have been written."""
    shape = 20_000, 64
    vertices = np.array([(-5e6, -10), (5e6, 7e3), (40, 2e4)])
    expected = polymask.polygon_mask(vertices, shape, dtype="uint8")
    buffer = np.zeros(expected.size, np.uint8)
    polygon = copy_into(buffer, vertices)
    out = buffer.reshape(shape)
    np.testing.assert_array_equal(polymask.polygon_mask(polygon, shape, out=out), expected)


# Without an array of pairs, which compiled code copies.
FORMS = [np.ravel, lambda ring: [ring], lambda ring: [[ring], [ring]]]


@pytest.mark.parametrize("form", FORMS, ids=["flat", "rings", "parts"])
def test_compiled_code_reads_its_own_copy_of_vertices(monkeypatch, form):
    """It relies on their bounds, which another thread could invalidate meanwhile."""
    vertices = np.array(OUTER, np.float64)
    calls = []

    def spy(module, name):
        original = getattr(module, name)

        def wrapper(first, *more):
            calls.append((name, np.shares_memory(first, vertices)))
            return original(first, *more)

        monkeypatch.setattr(module, name, wrapper)

    for name in ("bounding_box", "contains", "mask"):
        spy(_engine, name)
    for name in ("add", "fill", "touch"):
        spy(_coverage, name)
    spy(geometry, "are_computable")  # the array that is checked is the one that is read
    polymask.polygon_mask(form(vertices), SHAPE)
    polymask.polygon_mask(form(vertices), SHAPE, all_touched=True)
    polymask.contains(form(vertices), [(1, 1)])
    polymask.coverage(form(vertices), SHAPE)
    polymask.coverage(form(vertices), SHAPE, subpixels=2)
    assert {name for name, _ in calls} >= {"mask", "touch", "contains", "fill"}
    assert not any(shared for _, shared in calls)


def test_offsets_are_copied_before_they_are_checked(monkeypatch):
    """The engine copies vertices, one polygon at a time; label_runs reads them twice."""
    vertices = np.array([*OUTER, *TRIANGLE], np.float64)
    offsets = [np.array([0, 4, 7]), np.array([0, 1, 2]), np.array([0, 1, 2])]
    shared, many = [], _many.Many

    def wrapper(polygons, *options):
        shared.append([np.shares_memory(*pair) for pair in zip(polygons[1:], offsets, strict=True)])
        shared[-1].append(np.shares_memory(polygons.vertices, vertices))
        return many(polygons, *options)

    monkeypatch.setattr(_many, "Many", wrapper)
    polymask.pixel_counts((vertices, *offsets), SHAPE)
    polymask.label_runs((vertices, *offsets), SHAPE)
    assert shared == [[False, False, False, True], [False] * 4]
