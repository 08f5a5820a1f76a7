"""`transform`: polygons of a map, placed like those of `rasterize`, in all functions."""

import numpy as np
import pytest
from cases import folded
from polygons import mask_of_runs

import polymask
from polymask.maps import georeference

SHAPE = (12, 17)
# North up and south up, columns from the east, rotated, sheared, and an image in pixels.
TRANSFORMS = [
    (30, 0, 399960, 0, -30, 4900020),
    (0.25, 0, -7, 0, 0.25, 3),
    (-0.3, 0, 20, 0, -0.7, 41),
    (-4, 0, 3, 0, 4, 1),
    (0.9, 0.4, -3.0, 0.5, -0.8, 20.0),
    (2, 1, 5, 0, -3, 8),
    (1, 0, 0, 0, 1, 0),
]
SOUTH_UP = TRANSFORMS[1]


def on_map(transform, count=9, seed=0):
    """Return polygons whose vertices are at halves of pixels, or anywhere."""
    r = np.random.default_rng(seed)
    pixels = r.uniform(-3, 18, (count, 5, 2))
    pixels[::2] = np.rint(2 * pixels[::2]) / 2
    return [georeference.affine(transform)(each) for each in pixels]


def random_affine(seed):
    r = np.random.default_rng(seed)
    a, b, d, e = r.uniform(-3, 3, 4)
    return (a, b * (seed % 2), r.uniform(-99, 99), d * (seed % 2), e, r.uniform(-99, 99))


@folded("transform", [*TRANSFORMS, *map(random_affine, range(20))])
def test_all_functions_equal_rasterize(transform):
    polygons, options = on_map(transform), {"transform": transform}
    expected = polymask.rasterize(
        polygons, SHAPE, values=range(1, 10), transform=transform, dtype="u1"
    )
    same = np.testing.assert_array_equal
    same(polymask.label_mask(polygons, SHAPE, **options), expected)
    out = np.full(SHAPE, 9, np.uint8)
    same(polymask.label_mask(polygons, SHAPE, out=out, **options), expected)
    masks = [polymask.rasterize([each], SHAPE, dtype=bool, **options) for each in polygons]
    assert polymask.polygon_masks(polygons, SHAPE, **options).tolist() == np.array(masks).tolist()
    out = np.ones((9, *SHAPE), bool)
    same(polymask.polygon_masks(polygons, SHAPE, out=out, **options), masks)
    same(polymask.pixel_counts(polygons, SHAPE, **options), [each.sum() for each in masks])
    runs = polymask.label_runs(polygons, SHAPE, **options)
    image = np.arange(np.prod(SHAPE)).reshape(SHAPE)
    stats = polymask.polygon_statistics(polygons, image, **options)
    named = polymask.polygon_statistics(polygons, image, statistics=["median"], **options)
    crops = list(polymask.polygon_crops(polygons, SHAPE, **options))
    for number, (polygon, mask) in enumerate(zip(polygons, masks, strict=True)):
        same(polymask.polygon_mask(polygon, SHAPE, **options), mask)
        assert polymask.polygon_mask(polygon, SHAPE, out=np.ones(SHAPE, bool), **options).sum() == (
            mask.sum()
        )
        first, end = runs.offsets[number : number + 2]
        row, start, stop = np.array(runs[:3])[:, first:end]
        assert np.lexsort((start, row)).tolist() == [*range(len(row))]
        same(mask_of_runs((row, start, stop), SHAPE), mask)
        window, part = crops[number]
        same(image[window][part], image[mask])
        assert stats.sum[number] == image[mask].sum()
        same(named["median"][number], np.median(image[mask]) if mask.any() else np.nan)


@folded("transform", TRANSFORMS)
def test_centroids_and_fractions_are_those_of_the_pixels(transform):
    affine, polygons = georeference.affine(transform), on_map(transform)
    centroids = polymask.pixel_centroids(polygons, SHAPE, transform=transform)
    for polygon, centroid in zip(polygons, centroids, strict=True):
        mask = polymask.polygon_mask(polygon, SHAPE, transform=transform)
        if mask.any():
            points = affine(np.argwhere(mask)[:, ::-1] + 0.5)
            np.testing.assert_allclose(centroid, points.mean(axis=0))
        fractions = polymask.coverage(polygon, SHAPE, transform=transform)
        expected = polymask.coverage(affine.to_pixels(polygon), SHAPE, center=True)
        np.testing.assert_allclose(fractions, expected, atol=1e-6)
        out = np.ones(SHAPE, np.float32)
        np.testing.assert_array_equal(
            polymask.coverage(polygon, SHAPE, transform=transform, out=out), fractions
        )


@folded("transform", TRANSFORMS)
def test_points_are_on_the_map(transform):
    rows, cols = np.mgrid[: SHAPE[0], : SHAPE[1]]
    centres = georeference.affine(transform)(np.column_stack([cols.ravel(), rows.ravel()]) + 0.5)
    for polygon in on_map(transform, seed=1)[1::2]:
        inside = polymask.contains(polygon, centres, transform=transform)
        mask = polymask.polygon_mask(polygon, SHAPE, transform=transform)
        np.testing.assert_array_equal(inside.reshape(SHAPE), mask)
        swapped = polygon[:, ::-1], centres[:, ::-1]
        again = polymask.contains(*swapped, transform=transform, order="rc")
        np.testing.assert_array_equal(again, inside)


def test_polygons_reach_a_row_of_samples_at_a_pole():
    transform, shape = (30, 0, -15, 0, -30, 105), (7, 12)
    for cap in (
        [(0, 60), (315, 60), (315, 90), (0, 90)],
        [(0, -60), (315, -60), (315, -90), (0, -90)],
    ):
        mask = polymask.rasterize([cap], shape, transform=transform, dtype=bool)
        result = polymask.polygon_mask(cap, shape, transform=transform)
        np.testing.assert_array_equal(result, mask)
        rows, cols = np.indices(shape)
        points = np.column_stack([30 * cols.ravel(), 90 - 30 * rows.ravel()])
        inside = polymask.contains(cap, points, transform=transform)
        np.testing.assert_array_equal(inside.reshape(shape), mask)
        assert mask[[0, -1]].any()


@pytest.mark.parametrize(("units", "north"), [("m", 90), ("degrees_north", 120)])
def test_coordinates_say_whether_90_is_a_pole(units, north):
    xarray = pytest.importorskip("xarray")
    y = "y", north - 30 * np.arange(4), {"units": units}
    like = xarray.DataArray(np.zeros((4, 3)), {"y": y, "x": [0, 30, 60]}, ("y", "x"))
    cap = [(-10, 50), (70, 50), (70, 90), (-10, 90)]
    labels = polymask.label_mask([cap], transform=like)
    np.testing.assert_array_equal(labels, polymask.rasterize_like([cap], like))


def test_options_that_are_given_win():
    square = [(0.5, -0.5), (2.5, -0.5), (2.5, -2.5), (0.5, -2.5)]
    grid = {"transform": (1, 0, 0, 0, -1, 0)}
    assert polymask.pixel_counts([square], (5, 5), **grid) == 4
    assert polymask.pixel_counts([square], (5, 5), border_value=True, **grid) == 7
    assert polymask.pixel_counts([square], (5, 5), all_touched=True, **grid) == 9
    window = polymask.polygon_mask(square, (2, 4), offset=(1, 1), **grid)
    np.testing.assert_array_equal(window, polymask.polygon_mask(square, (5, 5), **grid)[1:3, 1:])


def test_run_lengths_of_a_map():
    square = [(0, 0), (2, 0), (2, -1), (0, -1)]
    rle = polymask.coco_rle([square], (2, 3), transform=(1, 0, 0, 0, -1, 0), compressed=False)
    assert rle == [{"size": [2, 3], "counts": [0, 1, 1, 1, 3]}]


@folded("south_up", [False, True])
def test_a_grid_of_xarray_and_an_open_raster_have_the_shape(tmp_path, south_up):
    xarray = pytest.importorskip("xarray")
    latitudes = 40.0 + np.arange(7) if south_up else 46.0 - np.arange(7)
    grid = xarray.DataArray(
        np.zeros((7, 9)), {"lat": latitudes, "lon": np.arange(9) / 2}, ("lat", "lon")
    )
    polygons = np.random.default_rng(5).integers(0, 14, (6, 4, 2)) / 2 + (-1, 39.5)
    labels = polymask.label_mask(polygons, transform=grid)
    expected = polymask.rasterize_like(polygons, grid, values=range(1, 7), dtype="u1")
    np.testing.assert_array_equal(labels, expected)
    np.testing.assert_array_equal(polymask.label_mask(polygons, (7, 9), transform=grid), expected)
    assert polymask.contains(polygons[0], [(9, 99)], transform=grid).tolist() == [False]
    part = (
        polymask.label_mask(polygons, (3, 4), transform=grid, offset=(2, 5)) if not south_up else 0
    )
    assert south_up or (part == expected[2:5, 5:]).all()
    rasterio = pytest.importorskip("rasterio")
    step = 1 if south_up else -1
    affine = rasterio.Affine(0.5, 0, -0.25, 0, step, latitudes[0] - step / 2)
    profile = {"driver": "GTiff", "height": 7, "width": 9, "count": 2, "dtype": "uint8"}
    with rasterio.open(tmp_path / "a.tif", "w", transform=affine, **profile) as raster:
        np.testing.assert_array_equal(polymask.label_mask(polygons, transform=raster), expected)
    np.testing.assert_array_equal(polymask.label_mask(polygons, (7, 9), transform=affine), expected)


def test_systems_are_compared():
    geopandas = pytest.importorskip("geopandas")
    xarray = pytest.importorskip("xarray")
    shapely = pytest.importorskip("shapely")
    crs = ((), 0, {"crs_wkt": geopandas.GeoSeries([], crs=4326).crs.to_wkt()})
    grid = xarray.DataArray(
        np.zeros((3, 3)), {"y": [3.0, 2, 1], "x": [1.0, 2, 3], "spatial_ref": crs}, ("y", "x")
    )
    polygons = geopandas.GeoSeries([shapely.box(0, 0, 3, 3)], crs=4326)
    assert polymask.pixel_counts(polygons, transform=grid) == 6  # none at the north side
    with pytest.raises(ValueError, match="to_crs"):
        polymask.pixel_counts(polygons.set_crs(32632, allow_override=True), transform=grid)


@folded(
    ("transform", "message"),
    [
        ((500000, 10, 0, 6000000, 0, -10), r"GDAL's order: pass \(10"),
        ((0, 0.25, 0, 90, 0, -0.25), r"GDAL's order: pass \(0.25"),
        ((0, 10, 0, 0, 0, -10), r"GDAL's order: pass \(10"),
        ({1, 2, 3, 4, 5, 6}, "six numbers"),
        (b"abcdef", "six numbers"),
        ((1, 0, 0, 0, 0, 5), "no area"),
        ((2, 1, 0, 4, 2, 0), "no area"),
        ((1, 0, np.nan, 0, 1, 0), "finite"),
        ((1, 0, 0, 0, 1, np.inf), "finite"),
        ((1, 0, 0), "six"),
        ("abcdef", "six"),
        (5, "six"),
    ],
)
def test_bad_transforms(transform, message):
    for function in (polymask.polygon_mask, polymask.label_mask):
        with pytest.raises(ValueError, match=message):
            function([(1, 1), (3, 1), (2, 3)], SHAPE, transform=transform)


def test_quarter_turns_are_not_gdals_order():
    transform = (0, 2, 0, 2, 0, 1)
    polygon = georeference.affine(transform)(np.array([(1, 1), (4, 2), (2, 5)]))
    assert polymask.polygon_mask(polygon, SHAPE, transform=transform).any()


@folded(
    ("options", "message"),
    [
        ({"shape": None}, "shape is required"),
        ({"center": False}, "center=False"),
        ({"transform": SOUTH_UP, "offset": (1, 1)}, "offset needs"),
        ({"transform": SOUTH_UP, "packed": True}, "packed needs"),
        ({"transform": "grid"}, r"shape \(12, 17\) is not \(2, 3\)"),
        ({"transform": "turned"}, r"transpose\(..., 'y', 'x'\)"),
    ],
)
def test_bad_combinations(options, message):
    options = {"shape": SHAPE, "transform": TRANSFORMS[0]} | options
    if isinstance(options["transform"], str):
        xarray = pytest.importorskip("xarray")
        grid = xarray.DataArray(np.zeros((2, 3)), {"y": [2.0, 1], "x": [1.0, 2, 3]}, ("y", "x"))
        options["transform"] = grid if options["transform"] == "grid" else grid.T
    with pytest.raises(ValueError, match=message):
        polymask.polygon_mask([(1, 1), (3, 1), (2, 3)], **options)


def test_run_lengths_need_rows_from_the_north():
    with pytest.raises(ValueError, match="coco_rle needs"):
        polymask.coco_rle([[(1, 1), (3, 1), (2, 3)]], SHAPE, transform=SOUTH_UP)


@folded("transform", TRANSFORMS)
def test_lazy_images_are_those_of_the_library(transform):
    lazy = pytest.importorskip("polymask.dask")
    polygons, options = on_map(transform), {"transform": transform}
    for name in ("label_mask", "polygon_mask", "coverage"):
        argument = polygons if name == "label_mask" else polygons[0]
        image = getattr(lazy, name)(argument, SHAPE, chunks=(5, 7), **options)
        assert image.chunks == ((5, 5, 2), (7, 7, 3))
        np.testing.assert_array_equal(image, getattr(polymask, name)(argument, SHAPE, **options))
    image = np.arange(np.prod(SHAPE)).reshape(SHAPE)
    for wanted in ({}, {"statistics": ["median"]}):
        stats = lazy.polygon_statistics(polygons, image, **wanted, **options)
        expected = polymask.polygon_statistics(polygons, image, **wanted, **options)
        stats, expected = (each["median"] if wanted else each.sum for each in (stats, expected))
        np.testing.assert_array_equal(stats, expected)
