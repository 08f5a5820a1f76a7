"""polymask.cuda: the values of the functions in polymask, to the bit, in arrays of the device."""

import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polygons
import pytest
import strategies
from cases import folded
from hypothesis import given
from hypothesis import strategies as st

import polymask
from polymask.forms.ragged import ragged

hostile_rings = strategies.images_and(strategies.polygons_of_rings)
hostile_sets = strategies.images_and(
    lambda shape: st.lists(
        strategies.polygons_of_rings(shape).map(lambda rings: [rings[:1], rings[1:]]), max_size=6
    )
)
sampling = strategies.sampling()
LARGE = (61, 1301)  # several tiles, and rows that begin at any address
same = np.testing.assert_array_equal


def star(count, shape, seed=0):
    """Return a polygon of many vertices that crosses itself, within an image and beyond."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-0.2, 1.2, (count, 2)) * shape[::-1]


def many(count, shape, seed=0):
    """Return small polygons of 3 to 9 vertices, everywhere in an image."""
    rng = np.random.default_rng(seed)
    centers = rng.uniform(-5, 5, (count, 2)) + rng.uniform(0, 1, (count, 2)) * shape[::-1]
    return [c + rng.uniform(-9, 9, (rng.integers(3, 10), 2)) for c in centers]


def of_parts(parts):
    """Return a MultiPolygon of lists of rings."""
    closed = [[polygons.closed(ring) for ring in rings] for rings in parts if rings]
    return polygons.geojson("MultiPolygon", closed)


def on_device(cupy, arrays):
    return tuple(None if array is None else cupy.asarray(array) for array in arrays)


@given(example=hostile_rings, options=sampling, packed=strategies.booleans)
def test_a_mask_is_that_of_the_cpu(cuda, example, options, packed):
    shape, rings = example
    mask = cuda.polygon_mask(rings, shape, packed=packed, **options)
    expected = polymask.polygon_mask(rings, shape, packed=packed, **options)
    assert mask.dtype == expected.dtype
    same(mask.get(), expected)


@given(example=hostile_sets, options=sampling, on_top=st.sampled_from(["last", "first"]))
def test_sets_of_polygons_with_parts(cuda, example, options, on_top):
    shape, features = example
    features = [of_parts(parts) for parts in features]
    same(
        cuda.polygon_masks(features, shape, **options).get(),
        polymask.polygon_masks(features, shape, **options),
    )
    image = cuda.label_mask(features, shape, on_top=on_top, **options)
    expected = polymask.label_mask(features, shape, on_top=on_top, **options)
    assert image.dtype == expected.dtype
    same(image.get(), expected)
    same(
        cuda.pixel_counts(features, shape, **options).get(),
        polymask.pixel_counts(features, shape, **options),
    )


@folded("count", [24, 256, 257, 3000])
@folded("options", [{}, {"center": True, "offset": (-7, 11)}, {"packed": True}])
def test_polygons_of_many_edges_on_images_of_several_tiles(cuda, count, options):
    star_ = star(count, LARGE)
    same(
        cuda.polygon_mask(star_, LARGE, **options).get(),
        polymask.polygon_mask(star_, LARGE, **options),
    )


@folded("row, col", [(2**52 - 80, -(2**52)), (-(2**53), 2**53 - 1301), (2**53 - 61, -(2**53))])
def test_windows_where_samples_are_barely_exact(cuda, row, col):
    vertices = star(24, LARGE) + (col, row)
    options = {"offset": (row, col), "center": abs(row) < 2**52 and abs(col) <= 2**52}
    same(
        cuda.polygon_mask(vertices, LARGE, **options).get(),
        polymask.polygon_mask(vertices, LARGE, **options),
    )


@folded("on_top", ["last", "first", "smallest"])
@folded("dtype", [None, "uint8", "int32", "uint32", "int64"])
def test_labels_in_every_order_and_type(cuda, on_top, dtype):
    shapes = many(1100, LARGE)  # more than share large tiles
    shapes += shapes[:7]  # of equal areas, the last is on top
    labels = np.random.default_rng(1).integers(1, 120, len(shapes))
    image = cuda.label_mask(shapes, LARGE, labels=labels, on_top=on_top, dtype=dtype)
    expected = polymask.label_mask(shapes, LARGE, labels=labels, on_top=on_top, dtype=dtype)
    assert image.dtype == expected.dtype
    same(image.get(), expected)


def test_polygons_on_the_device_are_read_there(cupy, cuda):
    arrays = ragged([*many(50, LARGE), [star(9, LARGE), star(8, LARGE, 2)], star(700, LARGE)])
    expected = polymask.label_mask(arrays, LARGE)
    device = on_device(cupy, arrays)
    same(cuda.label_mask(device, LARGE).get(), expected)
    same(cuda.label_mask(device, LARGE, check=False).get(), expected)
    mixed = (device[0], *arrays[1:])
    same(cuda.polygon_masks(mixed, (20, 30)).get(), polymask.polygon_masks(arrays, (20, 30)))
    vertices = arrays.vertices[:9]
    swapped = cupy.asarray(vertices[:, ::-1].astype(np.float32))
    same(
        cuda.polygon_mask(swapped, LARGE, order="rc").get(),
        polymask.polygon_mask(vertices.astype(np.float32), LARGE),
    )


def test_out_is_written_and_returned(cupy, cuda):
    triangle = polygons.TRIANGLE
    image = cupy.zeros((40, 60), np.uint8)
    view = image[3:17, 5:26]
    assert cuda.polygon_mask(triangle, (14, 21), out=view) is view
    expected = np.zeros((40, 60), np.uint8)
    expected[3:17, 5:26] = polymask.polygon_mask(triangle, (14, 21))
    same(image.get(), expected)
    stack = cupy.ones((2, 20, 30), bool)
    cuda.polygon_masks([triangle, triangle + 3], (9, 17), out=stack[:, 1:10, 7:24])
    expected = np.ones((2, 20, 30), bool)
    expected[:, 1:10, 7:24] = polymask.polygon_masks([triangle, triangle + 3], (9, 17))
    same(stack.get(), expected)
    labels = cupy.full((30, 40), 9, np.int32)
    cuda.label_mask([triangle, triangle + 3], (14, 21), out=labels[2:16, 8:29])
    expected = np.full((30, 40), 9)
    expected[2:16, 8:29] = polymask.label_mask([triangle, triangle + 3], (14, 21))
    same(labels.get(), expected)


def test_arrays_of_other_libraries(cupy, cuda):
    class Other:  # has no method but the protocol's
        def __init__(self, array, read_only=False):
            self.array, self.read_only = array, read_only

        @property
        def __cuda_array_interface__(self):
            interface = self.array.__cuda_array_interface__
            return {**interface, "data": (interface["data"][0], self.read_only)}

    array = cupy.zeros((14, 21), np.uint8)
    out, vertices = Other(array), Other(cupy.asarray(polygons.TRIANGLE), read_only=True)
    assert cuda.polygon_mask(vertices, (14, 21), out=out) is out
    same(array.get(), polymask.polygon_mask(polygons.TRIANGLE, (14, 21)))
    with pytest.raises(ValueError, match="read-only"):
        cuda.polygon_mask(vertices, (14, 21), out=Other(array, read_only=True))


def test_a_stream_is_joined(cupy, cuda):
    stream = cupy.cuda.Stream(non_blocking=True)
    mask = cuda.polygon_mask(polygons.TRIANGLE, (14, 21), stream=stream)
    stream.synchronize()
    same(mask.get(), polymask.polygon_mask(polygons.TRIANGLE, (14, 21)))


@folded("shape", [(0, 5), (5, 0), (3, 4)])
def test_images_and_features_without_pixels(cuda, shape):
    empty = polygons.geojson("MultiPolygon", [])
    same(cuda.polygon_mask(empty, shape).get(), np.zeros(shape))
    same(cuda.polygon_masks([], shape).get(), np.zeros((0, *shape)))
    same(cuda.label_mask([empty, polygons.TRIANGLE], shape, labels=[7, 0]).get(), np.zeros(shape))
    same(cuda.pixel_counts([empty, empty], shape).get(), [0, 0])


def test_a_mask_that_the_device_has_no_room_for(cupy, cuda):
    with pytest.raises(MemoryError):
        cuda.polygon_mask(polygons.TRIANGLE, (2**24, 2**24))


def test_threads_share_the_device(cuda):
    stars = [star(20, LARGE, seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        masks = list(pool.map(lambda vertices: cuda.polygon_mask(vertices, LARGE), stars))
    for mask, vertices in zip(masks, stars, strict=True):
        same(mask.get(), polymask.polygon_mask(vertices, LARGE))


def test_no_memory_of_the_device_is_kept(cupy, cuda):
    """Calls return all memory, also those that fail, but that of their results."""
    pool = cupy.get_default_memory_pool()
    gc.collect()
    before = pool.used_bytes()
    for _ in range(3):
        image = cuda.label_mask(many(40, LARGE), LARGE, on_top="smallest")
        with pytest.raises(ValueError, match="finite"):
            cuda.polygon_mask(cupy.asarray(polygons.TRIANGLE * np.nan), LARGE)
        assert pool.used_bytes() - before >= image.nbytes
        del image
    gc.collect()
    assert pool.used_bytes() == before
