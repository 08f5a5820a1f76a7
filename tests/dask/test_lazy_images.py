"""polymask.dask: for any chunks, lazy images equal those of the CPU functions to the bit."""

import random

import fresh_python
import numpy as np
import pytest

import polymask

dask = pytest.importorskip("dask")
lazy = pytest.importorskip("polymask.dask")
SHAPE = ROWS, COLS = 67, 90
BOOLS = (True, False)


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def sizes(r, length):
    """Return random sizes of blocks that add up to a length."""
    cuts = sorted(r.sample(range(1, length), r.choice([0, 1, 2, 5])))
    return tuple(np.diff([0, *cuts, length]).tolist())


def ring(r, radius, corners, real):
    """Return a random polygon that may cross itself, on the image or partly outside."""
    y, x = r.uniform(-9, ROWS + 9), r.uniform(-9, COLS + 9)
    points = [(x + r.gauss(0, radius), y + r.gauss(0, radius)) for _ in range(corners)]
    return np.array(points) if real else np.rint(points)


def many(r):
    """Return polygons of several forms: rings, with holes, of several parts, and empty."""
    rings = [ring(r, r.choice([2, 9, 60]), r.choice([3, 5, 9]), r.choice(BOOLS)) for _ in range(40)]
    boxes = [[(a, a), (b, a), (b, b), (a, b)] for a, b in [(-5, 200), (20, 44), (50.5, 60.25)]]
    parts = {"type": "MultiPolygon", "coordinates": [[boxes[0], boxes[1]], [boxes[2]]]}
    return [*rings, None, [rings[0], rings[1]], parts, *boxes]


def sampling(r):
    return {
        "border_value": r.choice([True, False, None]),
        "watertight": r.choice(BOOLS),
        "all_touched": r.choice([False, False, "closed", "open"]),
    }


def window(r):
    offset = r.choice([(0, 0), (-20, 7), (2**49, -(2**49))])
    return {"center": r.choice(BOOLS), "offset": offset, "order": r.choice(["xy", "rc"])}


def moved(polygons, options):
    """Move arrays of vertices to the window."""
    row, col = options["offset"]
    by = np.array([col, row] if options["order"] == "xy" else [row, col], float)
    return [rings + by for rings in polygons if isinstance(rings, np.ndarray)]


def cases(r):
    """Yield the name of each function with random arguments."""
    polygons = many(r)
    options = {**sampling(r), **window(r)}
    here = moved(polygons, options)
    some = r.sample(here, r.choice([1, 2, 12]))
    multi = {"type": "MultiPolygon", "coordinates": [[rings.tolist()] for rings in some]}
    for polygon in (some, multi):
        yield "polygon_mask", (polygon, SHAPE), {**options, "packed": r.choice(BOOLS)}
    limited = {**options, "offset": (-20, 7)}
    some = r.sample(moved(polygons, limited), r.choice([1, 2, 12]))
    multi = {"type": "MultiPolygon", "coordinates": [[rings.tolist()] for rings in some]}
    fractions = {name: limited[name] for name in ("center", "offset", "order")}
    for polygon in (some, multi):
        yield "coverage", (polygon, SHAPE, r.choice([None, None, 3])), fractions
    on_top = r.choice(["last", "first", "smallest"])
    yield "label_mask", (here, SHAPE), {**options, "on_top": on_top, "dtype": "int32"}
    values = [r.choice([0, 3, 7, 255]) for _ in polygons]
    yield "label_mask", (polygons, SHAPE), {"labels": values}
    transform = r.choice([(0.5, 0, 3, 0, -0.75, 50), (-0.5, 0, 48, 0, 0.75, -0.25)])
    maps = {**sampling(r), "transform": transform, "values": values}
    yield "rasterize", (polygons, SHAPE), {**maps, "on_top": on_top, "fill": r.choice([0, 9])}
    values = [r.gauss(0, 1) for _ in polygons]
    dtype = r.choice(["float16", "float32", "float64"])
    adding = {"values": values, "merge_alg": "add", "dtype": dtype, "fill": -1}
    yield "rasterize", (polygons, SHAPE), {**maps, **adding}


def check_random_chunks(seed):
    r = random.Random(seed)
    for name, arguments, options in cases(r):
        expected = getattr(polymask, name)(*arguments, **options)
        chunks = tuple(sizes(r, length) for length in expected.shape)
        image = getattr(lazy, name)(*arguments, chunks=chunks, **options)
        assert (image.chunks, image.dtype) == (chunks, expected.dtype)
        result = image.compute()
        assert result.dtype == expected.dtype
        assert result.tobytes() == expected.tobytes(), (seed, name, chunks, options)


def test_random_chunks():
    for seed in range(20):
        check_random_chunks(seed)


@pytest.mark.slow
def test_more_random_chunks():
    for seed in range(20, 200):
        check_random_chunks(seed)


def test_rounding_moves_crossings_of_far_edges_into_other_blocks():
    far = np.array([(4.4, 10), (1.5668893031046845e18, -26.6), (1.580012170002407e18, -17.25)])
    options = {"offset": (0, -1000), "dtype": "uint8"}
    expected = polymask.polygon_mask(far, (20, 1200), **options)
    assert expected[:, :1000].any()  # left of the leftmost vertex
    assert (lazy.polygon_mask(far, (20, 1200), chunks=(5, 16), **options) == expected).all()


def test_last_byte_of_a_block_inside_the_polygon():
    square = [(-5, -5), (90, -5), (90, 90), (-5, 90)]
    expected = polymask.polygon_mask(square, (9, 13), packed=True)
    image = lazy.polygon_mask(square, (9, 13), chunks=(3, 1), packed=True)
    assert (image.compute() == expected).all()


def has_no_memory(block):
    return np.array([[block.strides == (0, 0)]])


def test_constant_blocks_have_no_memory_of_their_own():
    square = [(10, 10), (70, 10), (70, 70), (10, 70)]
    images = [
        lazy.polygon_mask(square, (100, 100), chunks=20),
        lazy.polygon_mask(square, (100, 104), chunks=(20, 2), packed=True),
        lazy.coverage(square, (100, 100), chunks=20),
        lazy.label_mask([square], (200, 200), chunks=20),
        lazy.rasterize([square], (200, 200), chunks=20, fill=3),
    ]
    for image in images:
        is_constant = image.map_blocks(has_no_memory, chunks=(1, 1), dtype=bool).compute()
        assert is_constant[-1, -1]  # outside
        assert not is_constant[0, 0]  # on the border
        is_mask = image.shape[0] == 100
        assert is_constant[2, image.numblocks[1] // 2 if is_mask else 2] == is_mask  # inside


def test_graphs_are_symbolic_until_they_run():
    image = lazy.label_mask([[(1, 1), (9, 1), (5, 9)]], (10**6, 10**6), chunks=100)
    drawn, polygons = image.dask.layers[image.name], image.dask.dependencies[image.name]
    assert image.npartitions == 10**8
    assert not drawn.is_materialized()
    assert [len(image.dask.layers[name]) for name in polygons] == [1]
    assert image.name.startswith("polymask-label_mask-")


def test_equal_calls_have_equal_names():
    triangle = np.array([(1.0, 1.0), (9.0, 1.0), (5.0, 9.0)])
    first = lazy.polygon_mask(triangle, (20, 20), chunks=5)
    again = lazy.polygon_mask(triangle.tolist(), (20, 20), chunks=5)
    assert again.name == first.name
    for options in ({"center": True}, {"offset": (0, 1)}, {"packed": True}):
        assert lazy.polygon_mask(triangle, (20, 20), chunks=5, **options).name != first.name


def test_arrays_may_change_after_the_call():
    triangles = np.array([[(1.0, 1.0), (9.0, 1.0), (5.0, 9.0)]])
    labels = np.array([7])
    expected = polymask.label_mask(triangles, (20, 20), labels=labels)
    image = lazy.label_mask(triangles, (20, 20), labels=labels, chunks=5)
    triangles += 3
    labels[0] = 1
    assert (image.compute() == expected).all()


@pytest.mark.parametrize(
    ("name", "arguments", "options"),
    [
        ("polygon_mask", ([(0, 0), (1, np.nan), (2, 2)], SHAPE), {}),
        ("polygon_mask", ([(0, 0), (1, 1), (2, 2)], (-1, 2)), {}),
        ("polygon_mask", ([(0, 0), (1, 1), (2, 2)], SHAPE), {"dtype": "int32"}),
        ("polygon_mask", ([(0, 0), (1, 1), (2, 2)], SHAPE), {"threads": 0}),
        ("polygon_mask", ([(0, 0), (1, 1), (2, 2)], SHAPE), {"offset": (2**53, 0)}),
        ("coverage", ([(0, 0), (2.0**51, 1), (2, 2)], SHAPE), {}),
        ("coverage", ([(0, 0), (1, 1), (2, 2)], SHAPE), {"offset": (2**50, 0)}),
        ("coverage", ([(0, 0), (1, 1), (2, 2)], SHAPE, 33), {}),
        ("label_mask", ([[(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 1)]], SHAPE), {}),
        ("label_mask", ([[(0, 0), (1, 1), (2, 2)]], SHAPE), {"labels": [300], "dtype": "u1"}),
        ("label_mask", ([[(0, 0), (1, 1), (2, 2)]], SHAPE), {"on_top": "biggest"}),
        (
            "label_mask",
            ([[(0, 0), (1, 1), (2, 2)]], SHAPE),
            {"offset": (2**50, 0), "all_touched": True},
        ),
        ("rasterize", ([[(0, 0), (1, 1), (2, 2)]], SHAPE), {"values": [1, 2]}),
        ("rasterize", ([[(0, 0), (1, 1), (2, 2)]], SHAPE), {"fill": 300, "dtype": "u1"}),
        (
            "rasterize",
            ([[(0, 0), (1, 1), (2, 2)]] * 2, SHAPE),
            {"values": [2**62, 2**62], "merge_alg": "add", "dtype": "int64"},
        ),
        (
            "rasterize",
            ([[(0, 0), (1, 1), (2, 2)]] * 2, SHAPE),
            {"values": [2**62, 2**62], "merge_alg": "add", "dtype": float},
        ),
    ],
)
def test_errors_are_those_of_the_cpu_during_the_call(name, arguments, options):
    with pytest.raises((TypeError, ValueError)) as expected:
        getattr(polymask, name)(*arguments, **options)
    with pytest.raises(expected.type) as error:
        getattr(lazy, name)(*arguments, chunks=8, **options)
    if "offset" not in options:  # that message has the shape of a window
        assert str(error.value) == str(expected.value)


@pytest.mark.parametrize("chunks", [((3, 4), (90,)), 0, 2.5, None, "x", {0: "y"}, (5, 5, 5), -2])
def test_invalid_chunks_are_refused_during_the_call(chunks):
    for name, polygons in (("polygon_mask", [(0, 0), (1, 1), (2, 2)]), ("label_mask", [])):
        with pytest.raises(ValueError, match=r"^chunks must be .*") as error:
            getattr(lazy, name)(polygons, SHAPE, chunks=chunks)
        assert "\n" not in str(error.value)


def test_empty_images():
    triangle = [(0, 0), (5, 1), (2, 6)]
    assert lazy.polygon_mask(triangle, (0, 5)).compute().shape == (0, 5)
    assert lazy.label_mask([triangle], (5, 0)).compute().shape == (5, 0)
    assert lazy.coverage(triangle, (5, 0)).compute().shape == (5, 0)
    assert not lazy.label_mask([], (5, 4), chunks=2).compute().any()


def test_grid_of_an_xarray_object():
    xarray = pytest.importorskip("xarray")
    r = random.Random(1)
    grid = xarray.DataArray(
        dask.array.zeros(SHAPE, chunks=16),
        {"y": 40 - 0.5 * np.arange(ROWS), "x": np.arange(COLS) / 2, "spatial_ref": 0},
        dims=("y", "x"),
        attrs={"units": "m"},
    )
    shapes = [ring(r, 9, 5, True) for _ in range(20)]
    expected = polymask.rasterize_like(shapes, grid, fill=3)
    image = lazy.rasterize_like(shapes, grid, fill=3, chunks=(20, 30))
    assert image.chunks == ((20, 20, 20, 7), (30, 30, 30))
    xarray.testing.assert_identical(image.compute(), expected)
    assert (image.attrs, set(image.coords)) == ({"units": "m"}, {"x", "y", "spatial_ref"})
    with pytest.raises(ValueError, match="evenly"):
        lazy.rasterize_like(shapes, grid.isel(x=[0, 1, 5]))


def test_missing_dask_is_named_with_its_extra():
    code = "import sys; sys.modules['dask'] = None; import polymask.dask"
    done = fresh_python.run("-c", code)
    assert done.stderr.splitlines()[-1].startswith("ImportError: polymask.dask needs Dask")
    assert "polymask[dask]" in done.stderr
