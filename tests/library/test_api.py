"""The public functions: their `out`, dtype and other options, good and bad."""

import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from cases import folded
from polygons import SHAPE, TRIANGLE, mask_of, random_polygons, read_only

import polymask
from polymask.ladder import reference

# out, dtype and the other options.


def test_out_is_written_in_every_byte_and_returned():
    for dtype in bool, np.uint8:
        out = np.ones(SHAPE, dtype)
        assert polymask.polygon_mask(TRIANGLE, SHAPE, out=out) is out
        np.testing.assert_array_equal(out, mask_of(TRIANGLE))
    assert set(np.unique(polymask.polygon_mask(TRIANGLE, SHAPE, out=out).view(np.uint8))) == {0, 1}


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
        (read_only(np.full(SHAPE, 9, np.uint8)), "read-only"),
        ([[9] * 21] * 14, "NumPy array"),
    ],
)
def test_bad_out_is_refused_and_left_alone(out, message):
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
        ({"order": "yx"}, "order must be"),
        ({"offset": 3}, "two integers"),
        ({"offset": (1.5, 2)}, "two integers"),
        ({"offset": (2**60, 0)}, "2\\*\\*53"),
        ({"threads": 0}, "threads must be 1 to"),
        ({"threads": 1.5}, "integer"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        polymask.polygon_mask(TRIANGLE, SHAPE, **options)
    if options.keys() <= {"order", "threads"}:
        with pytest.raises(ValueError, match=message):
            polymask.contains(TRIANGLE, [(1, 1)], **options)


@pytest.mark.parametrize("shape", [(0, 0), (0, 7), (7, 0)])
def test_empty_shapes(shape):
    assert polymask.polygon_mask(TRIANGLE, shape).shape == shape
    packed = polymask.polygon_mask(TRIANGLE, shape, packed=True)
    assert packed.shape == (shape[0], math.ceil(shape[1] / 8))


def test_many_python_threads_at_once():
    jobs = list(random_polygons(200, seed=9))
    with ThreadPoolExecutor(4) as pool:
        masks = list(pool.map(lambda job: mask_of(*job, threads=2), jobs))
    for (vertices, shape), mask in zip(jobs, masks, strict=True):
        np.testing.assert_array_equal(mask, reference.by_rows(vertices, shape))


# The module.


def test_public_functions_load_lazily_and_are_listed():
    code = (
        "import sys, polymask; assert 'polymask.masks._engine' not in sys.modules; "
        "assert {'polygon_mask', 'contains', 'label_mask'} <= set(dir(polymask)); "
        "from polymask import polygon_mask; assert 'polymask.masks._engine' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'polygon_maks'"):
        polymask.polygon_maks  # noqa: B018
