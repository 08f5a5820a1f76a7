"""`out` may be a view of rows of a larger array, and nothing outside it is written."""

import numpy as np
import pytest
from cases import folded
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, geojson, unaligned

import polymask

PARTS = geojson("MultiPolygon", [[OUTER.tolist(), HOLE.tolist()], [(TRIANGLE + 6).tolist()]])
EMPTY = geojson("MultiPolygon", [])
BYTES = "uint8", "bool"
# The dtypes of `out`, and a call that fills it.
CALLS = {
    "polygon_mask": (BYTES, lambda out: polymask.polygon_mask(OUTER, SHAPE, out=out)),
    "parts": (BYTES, lambda out: polymask.polygon_mask(PARTS, SHAPE, out=out)),
    "touched": (BYTES, lambda out: polymask.polygon_mask(PARTS, SHAPE, out=out, all_touched=True)),
    "label_mask": (
        ("uint8", "uint16", "int64"),
        lambda out: polymask.label_mask([OUTER, TRIANGLE], SHAPE, out=out),
    ),
    "rasterize": ((*BYTES, "float32"), lambda out: polymask.rasterize([(OUTER, 1)], out=out)),
    "coverage": (["float32"], lambda out: polymask.coverage(OUTER, SHAPE, out=out)),
    "coverage of parts": (["float32"], lambda out: polymask.coverage(PARTS, SHAPE, out=out)),
    "coverage, empty": (["float32"], lambda out: polymask.coverage(EMPTY, SHAPE, out=out)),
    "samples": (["float32"], lambda out: polymask.coverage(PARTS, SHAPE, 3, out=out)),
}


def frame(shape, dtype, before=(3, 5), more=(2, 4)):
    """Return an array full of sevens, and a view of that shape in it."""
    whole = np.full([sum(sizes) for sizes in zip(before, shape, more, strict=True)], 7, dtype)
    return whole, whole[tuple(slice(b, b + n) for b, n in zip(before, shape, strict=True))]


def check(call, shape, dtype, **margins):
    whole, out = frame(shape, dtype, **margins)
    expected = call(np.full(shape, 7, dtype))
    assert call(out) is out
    np.testing.assert_array_equal(out, expected)
    out[...] = 7
    assert (whole == np.full(1, 7, dtype)).all()


@folded("name", CALLS)
def test_every_function(name):
    dtypes, call = CALLS[name]
    for dtype in dtypes:
        check(call, SHAPE, dtype)


@pytest.mark.parametrize(
    ("dtype", "name"), [("uint16", "label_mask"), ("float64", "rasterize"), ("float32", "coverage")]
)
def test_elements_at_odd_addresses_are_rejected(dtype, name):
    out = unaligned(np.full(SHAPE, 7, dtype))
    with pytest.raises(ValueError, match=r"must be aligned"):
        CALLS[name][1](out)
    assert (out == 7).all()


def test_stacks_in_a_view_of_a_larger_stack(monkeypatch):
    """Stacks are computed in other memory first, whose contents are arbitrary."""
    empty = np.empty

    def full_of_ones(*args, **options):
        array = empty(*args, **options)
        array.fill(1)
        return array

    def call(out):
        return polymask.polygon_masks([OUTER, TRIANGLE], SHAPE, out=out)

    monkeypatch.setattr(np, "empty", full_of_ones)
    check(call, (2, *SHAPE), "bool", before=(1, 2, 3), more=(1, 0, 5))


@pytest.mark.parametrize("packed", [False, True])
def test_one_row_and_two(packed):
    """The engine has to know the distance between two rows."""
    cols = 3 if packed else SHAPE[1]

    def call(out):
        shape = len(out), SHAPE[1]
        return polymask.polygon_mask(OUTER, shape, packed=packed, offset=(5, 0), out=out)

    for rows in 1, 2:
        check(call, (rows, cols), "uint8")


def test_rows_that_lie_between_elements_are_rejected():
    """In a record of three bytes, the stride of a two-byte field is not a multiple of two."""
    record = np.zeros((14, 21), np.dtype([("label", "u2"), ("rest", "u1")]))
    with pytest.raises(ValueError, match=r"C-contiguous.*rows"):
        polymask.label_mask([TRIANGLE], SHAPE, out=record["label"])


NO_VIEWS = {
    "polygon_masks": lambda out: polymask.polygon_masks([OUTER, TRIANGLE], SHAPE, out=out),
    "no polygons": lambda out: polymask.polygon_masks([], SHAPE, out=out),
    "packed": lambda out: polymask.polygon_mask(OUTER, SHAPE, packed=True, out=out),
    "rasterize with a shape": lambda out: polymask.rasterize([(OUTER, 1)], SHAPE, out=out),
}


@folded("call", [*NO_VIEWS.values(), *(call for _, call in CALLS.values())])
def test_a_list_is_no_array_to_write_to(call):
    out = np.full(SHAPE, 7).tolist()
    with pytest.raises(ValueError, match=r"NumPy.*list"):
        call(out)
    assert (np.array(out) == 7).all()


def test_attributes_of_subclasses_are_not_trusted():
    class Lying(np.ndarray):
        shape = property(lambda _: (300, 400))

    out = np.zeros((3, 4), np.uint8).view(Lying)
    with pytest.raises(ValueError, match=r"shape.*\(300.*400\)"):
        polymask.polygon_mask([(0, 0), (400, 0), (0, 300)], (300, 400), out=out)


def test_a_masked_out_is_rejected():
    out = np.ma.array(np.full(SHAPE, 7, np.uint8), mask=np.eye(*SHAPE), hard_mask=True)
    for polygon in (TRIANGLE, PARTS):
        with pytest.raises(ValueError, match=r"part.*masked"):
            polymask.polygon_mask(polygon, SHAPE, out=out)
    assert (out.data == 7).all()
