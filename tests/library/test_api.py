"""The public functions: their `out`, dtype and other options, valid and invalid."""

import subprocess
import sys

import numpy as np
import pytest
from cases import folded
from numpy.lib.stride_tricks import as_strided
from polygons import SHAPE, TRIANGLE, read_only

import polymask

# out, dtype and the other options.


@folded(
    ("out", "message"),
    [
        (np.full((14, 20), 9, np.uint8), r"shape \(14, 21\), got \(14, 20\)"),
        (np.full((21, 14), 9, np.uint8), "shape"),
        (np.full((1, 14, 21), 9, np.uint8), "shape"),
        (np.full(SHAPE, 9, np.int8), "dtype"),
        (np.full(SHAPE, 9, np.float64), "dtype"),
        (np.full(SHAPE[::-1], 9, np.uint8).T, "C-contiguous"),
        (np.full((14, 42), 9, np.uint8)[:, ::2], "C-contiguous"),
        (np.full((28, 21), 9, np.uint8)[::-2], "C-contiguous"),
        (as_strided(np.full(99, 9, np.uint8), SHAPE, (5, 1)), "C-contiguous"),  # rows overlap
        (read_only(np.full(SHAPE, 9, np.uint8)), "read-only"),
        ([[9] * 21] * 14, "NumPy array"),
    ],
)
def test_bad_out_is_rejected_and_unchanged(out, message):
    before = np.array(out)
    with pytest.raises(ValueError, match=message):
        polymask.polygon_mask(TRIANGLE, SHAPE, out=out)
    np.testing.assert_array_equal(out, before)


@folded(
    ("options", "message"),
    [
        ({"dtype": float}, "bool or uint8"),
        ({"dtype": "mask"}, "bool or uint8"),
        ({"dtype": bool, "out": np.zeros(SHAPE, np.uint8)}, "dtype bool"),
        ({"dtype": bool, "packed": True}, "uint8 for packed"),
        ({"packed": True, "out": np.zeros(SHAPE, np.uint8)}, r"shape \(14, 3\)"),
        ({"offset": (1.5, 2)}, "two integers"),
        ({"offset": (2**60, 0)}, "2\\*\\*53"),
        ({"threads": 0}, "threads must be 1 to"),
        ({"threads": 1.5}, "integer"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        polymask.polygon_mask(TRIANGLE, SHAPE, **options)
    if "threads" in options:
        with pytest.raises(ValueError, match=message):
            polymask.contains(TRIANGLE, [(1, 1)], **options)


def test_public_functions_load_lazily_and_are_listed():
    code = (
        "import sys, polymask; assert 'polymask.masks._engine' not in sys.modules; "
        "assert {'polygon_mask', 'contains', 'label_mask'} <= set(dir(polymask)); "
        "from polymask import polygon_mask; assert 'polymask.masks._engine' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'polygon_maks'"):
        polymask.polygon_maks  # noqa: B018
