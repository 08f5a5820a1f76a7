"""The public functions: every option, every form of polygon, every wrong `out`."""

import json
import math
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import polymask
from polymask import _engine, reference, workload

COUNTRIES = json.loads((Path(__file__).parent.parent / "examples/countries.geojson").read_text())
TRIANGLE = np.array([(1.0, 2.0), (9.0, 4.0), (3.0, 8.0)])
OUTER = np.array([(1, 1), (18, 2), (16, 12), (2, 11)], float)
HOLE = np.array([(5, 4), (12, 5), (8, 9)], float)
SHAPE = (14, 21)


def mask_of(polygon, shape=SHAPE, **options):
    return polymask.polygon_mask(polygon, shape, dtype=np.uint8, **options)


def by_rings(rings, shape, border_value=True, x0=0.0, y0=0.0):
    """The rule over all edges of all rings, sample by sample; x0 and y0 belong to the sample."""
    rows, cols = shape
    mask = np.zeros(shape, np.uint8)
    for row, col in np.ndindex(rows, cols):
        x, y, inside = col + x0, row + y0, False
        for ring in rings:
            for p1, p2 in zip(ring.tolist(), np.roll(ring, -1, 0).tolist(), strict=True):
                inside ^= reference.toggles(x, y, p1, p2)
        if any((x, y) == point for ring in rings for point in map(tuple, ring.tolist())):
            inside = border_value
        mask[row, col] = inside
    return mask


def random_polygons(count, seed=0):
    """Polygons that crossings may go wrong on: integers, halves, lattices, reals, huge ones."""
    r = random.Random(seed)
    draws = [
        lambda top: r.randint(-3, top + 3),
        lambda top: r.randint(-3, top + 3) + 0.5,
        lambda top: r.randint(-20, 8 * top) / 8,
        lambda top: r.uniform(-4, top + 4),
        lambda top: r.choice([r.randint(0, top), r.uniform(-9, 2 * top)]),
        lambda top: r.choice([r.randint(0, top), -0.0, 5e-324, 1e15, -1e300, 1.7e308, -1.7e308]),
    ]
    for number in range(count):
        draw = draws[number % len(draws)]
        shape = r.randint(1, 40), r.randint(1, 70)
        yield [(draw(shape[1]), draw(shape[0])) for _ in range(r.randint(3, 14))], shape


# The mask.


def test_polygon_mask_is_bool_unless_told():
    mask = polymask.polygon_mask(TRIANGLE, SHAPE)
    assert mask.dtype == bool
    np.testing.assert_array_equal(mask, reference.by_rule(TRIANGLE, SHAPE).astype(bool))
    assert polymask.polygon_mask(TRIANGLE, SHAPE, dtype="uint8").dtype == np.uint8


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
@pytest.mark.parametrize("isa", ["plain", "neon", "avx2", "avx512"])
def test_equals_the_reference(isa, threads, monkeypatch):
    if isa not in _engine.instruction_sets():
        pytest.skip(f"this processor has no {isa}")
    monkeypatch.setenv("POLYMASK_ISA", isa)
    for number, (vertices, shape) in enumerate(random_polygons(300, seed=threads)):
        border_value = bool(number % 2)
        expected = reference.by_rows(vertices, shape, border_value)
        found = mask_of(vertices, shape, border_value=border_value, threads=threads)
        np.testing.assert_array_equal(found, expected, err_msg=repr((vertices, shape)))


@pytest.mark.parametrize("variable", ["POLYMASK_ISA", "POLYMASK_STORES"])
def test_unknown_settings_are_errors_that_name_them(variable, monkeypatch):
    monkeypatch.setenv(variable, "mmx")
    with pytest.raises(RuntimeError, match=f"{variable}=mmx"):
        mask_of(TRIANGLE)


@pytest.mark.parametrize("cols", [w + d for w in (1, 8, 16, 32, 64, 128, 512) for d in (-1, 0, 1)])
def test_every_width(cols):
    for seed in range(4):
        vertices = np.array(workload.polygon(11, (9, max(cols, 1)), seed)) + seed / 3
        expected = reference.by_rows(vertices, (9, cols))
        np.testing.assert_array_equal(mask_of(vertices, (9, cols)), expected)
        bits = np.packbits(expected, axis=1, bitorder="little")
        np.testing.assert_array_equal(polymask.polygon_mask(vertices, (9, cols), packed=True), bits)


def test_large_masks_agree_with_the_reference():
    """Fresh pages, several bands, streaming stores: what small images never reach."""
    shape = (6007, 7001)
    vertices = workload.polygon(61, shape, seed=3)
    expected = reference.by_rows(vertices, shape)
    assert np.array_equal(mask_of(vertices, shape), expected)
    out = np.full(shape, 7, np.uint8)
    assert np.array_equal(mask_of(vertices, shape, out=out), expected)


def test_a_hundred_thousand_edges():
    shape = (300, 400)
    vertices = workload.polygon(100_000, shape, seed=1)
    assert np.array_equal(mask_of(vertices, shape), reference.by_rows(vertices, shape))


@pytest.mark.slow
def test_forty_thousand_squared():
    """Beyond 2**31 samples: packed whole, and windows of it as bytes."""
    shape = (40_000, 40_000)
    vertices = workload.polygon(24, shape, seed=2) + 0.25
    bits = polymask.polygon_mask(vertices, shape, packed=True)
    for r, c in [(0, 0), (39_990, 39_984), (20_000, 31_008), (39_000, 16)]:
        window = mask_of(vertices, (10, 16), offset=(r, c))
        packed = np.packbits(window, axis=1, bitorder="little")
        np.testing.assert_array_equal(bits[r : r + 10, c // 8 : c // 8 + 2], packed)
        np.testing.assert_array_equal(window, by_rings([vertices], (10, 16), x0=c, y0=r))


# Windows, centres, bits, points.


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_windows_tile_the_whole(center, packed):
    vertices = np.array(workload.polygon(17, (61, 83), 5)) / 3 + (20.1, 7.7)
    options = {"center": center, "packed": packed}
    whole = polymask.polygon_mask(vertices, (61, 80), **options)
    rows = []
    for top in range(0, 61, 20):
        height = min(20, 61 - top)
        tiles = [
            polymask.polygon_mask(vertices, (height, 16), offset=(top, left), **options)
            for left in range(0, 80, 16)
        ]
        rows.append(np.hstack(tiles))
    np.testing.assert_array_equal(np.vstack(rows), whole)


def test_windows_at_negative_offsets():
    whole = mask_of(TRIANGLE, (20, 30), offset=(-5, -7))
    assert not whole[:5].any()
    np.testing.assert_array_equal(whole[5:, 7:], mask_of(TRIANGLE, (15, 23)))


@pytest.mark.parametrize("seed", range(4))
def test_center_moves_the_sample_not_the_polygon(seed):
    vertices = np.random.default_rng(seed).uniform(0, 20, (9, 2))
    expected = by_rings([vertices], SHAPE, x0=0.5, y0=0.5)
    np.testing.assert_array_equal(mask_of(vertices, center=True), expected)


def test_center_stamps_vertices_at_half_integers():
    vertices = TRIANGLE + 0.5
    for border_value in True, False:
        found = mask_of(vertices, center=True, border_value=border_value)
        np.testing.assert_array_equal(found, by_rings([vertices], SHAPE, border_value, 0.5, 0.5))


@pytest.mark.parametrize("count", [1, 2, 1000])
def test_contains_is_the_rule_at_any_point(count):
    r = np.random.default_rng(count)
    vertices = r.uniform(0, 20, (9, 2))
    points = r.uniform(-3, 23, (count, 2))
    points[0] = vertices[4]
    for border_value, threads in (True, None), (False, 3):
        found = polymask.contains(vertices, points, border_value=border_value, threads=threads)
        assert found.dtype == bool
        for (x, y), inside in zip(points.tolist(), found, strict=True):
            assert by_rings([vertices], (1, 1), border_value, x, y)[0, 0] == inside


def test_contains_agrees_with_the_mask():
    y, x = np.mgrid[:14, :21]
    points = np.column_stack([x.ravel(), y.ravel()])
    inside = polymask.contains([OUTER, HOLE], points)
    np.testing.assert_array_equal(inside.reshape(SHAPE), mask_of([OUTER, HOLE]))


def test_contains_of_no_points():
    assert polymask.contains(TRIANGLE, np.empty((0, 2))).shape == (0,)


def test_contains_in_rows_and_columns():
    points = np.array([(2, 5), (5, 2), (4, 4)])
    np.testing.assert_array_equal(
        polymask.contains(TRIANGLE[:, ::-1], points[:, ::-1], order="rc"),
        polymask.contains(TRIANGLE, points),
    )


# Forms of polygons.


def test_rings_share_one_parity():
    expected = by_rings([OUTER, HOLE], SHAPE)
    assert expected[6, 8] == 0
    assert expected[2, 3] == 1
    for rings in ([OUTER, HOLE], [HOLE, OUTER], (OUTER.tolist(), HOLE.tolist())):
        np.testing.assert_array_equal(mask_of(rings), expected)
    without = by_rings([OUTER, HOLE], SHAPE, border_value=False)
    np.testing.assert_array_equal(mask_of([OUTER, HOLE], border_value=False), without)


def test_an_array_of_rings():
    rings = np.stack([TRIANGLE, TRIANGLE / 2 + 2])
    np.testing.assert_array_equal(mask_of(rings), by_rings(list(rings), SHAPE))


def test_order_rc_swaps_the_columns_and_not_the_shape():
    np.testing.assert_array_equal(mask_of(TRIANGLE[:, ::-1], order="rc"), mask_of(TRIANGLE))
    swapped = [OUTER[:, ::-1], HOLE[:, ::-1]]
    np.testing.assert_array_equal(mask_of(swapped, order="rc"), mask_of([OUTER, HOLE]))


def geojson(kind, coordinates):
    return {"type": kind, "coordinates": coordinates}


def closed(ring):
    return [*ring.tolist(), ring[0].tolist()]


def test_geojson_polygon_feature_and_positions_with_altitude():
    expected = mask_of([OUTER, HOLE])
    polygon = geojson("Polygon", [closed(OUTER), closed(HOLE)])
    np.testing.assert_array_equal(mask_of(polygon), expected)
    np.testing.assert_array_equal(mask_of({"type": "Feature", "geometry": polygon}), expected)
    high = geojson("Polygon", [[(*p, 99.0) for p in closed(r)] for r in (OUTER, HOLE)])
    np.testing.assert_array_equal(mask_of(high), expected)


@pytest.mark.parametrize("packed", [False, True])
def test_multipolygon_is_the_or_of_its_polygons(packed):
    overlapping = [OUTER, OUTER / 2 + (9, 5), TRIANGLE - 3]
    multi = geojson("MultiPolygon", [[closed(ring)] for ring in overlapping])
    expected = np.bitwise_or.reduce([mask_of(ring) for ring in overlapping])
    if packed:
        expected = np.packbits(expected, axis=1, bitorder="little")
    found = polymask.polygon_mask(multi, SHAPE, packed=packed, dtype=np.uint8)
    np.testing.assert_array_equal(found, expected)
    out = np.full_like(expected, 255)
    polymask.polygon_mask(multi, SHAPE, packed=packed, out=out)
    np.testing.assert_array_equal(out, expected)
    assert (polymask.contains(multi, [(9, 9)]) == bool(mask_of(multi)[9, 9])).all()


def test_multipolygon_with_huge_coordinates_reaches_everywhere():
    """A crossing that is no number leaves a row's left end inside: no window may cut it off."""
    wild = [(1.7e308, -1.7e308), (-1.7e308, 1.7e308), (5.0, 3.0)]
    multi = geojson("MultiPolygon", [[wild], [TRIANGLE.tolist()]])
    expected = reference.by_rule(wild, SHAPE) | reference.by_rule(TRIANGLE, SHAPE)
    np.testing.assert_array_equal(mask_of(multi), expected)


def test_empty_geometries_give_empty_masks():
    assert not mask_of(geojson("MultiPolygon", [])).any()
    assert not mask_of({"type": "Feature", "geometry": None}).any()
    assert not polymask.contains(geojson("Polygon", []), [(1, 1)]).any()


def test_shapely():
    shapely = pytest.importorskip("shapely")
    polygon = shapely.Polygon(OUTER, [HOLE])
    np.testing.assert_array_equal(mask_of(polygon), mask_of([OUTER, HOLE]))
    multi = shapely.MultiPolygon([shapely.Polygon(TRIANGLE), shapely.Polygon(OUTER + 30)])
    np.testing.assert_array_equal(mask_of(multi), mask_of(TRIANGLE))
    assert not mask_of(shapely.Polygon()).any()


def test_shapely_agrees_away_from_the_edges():
    shapely = pytest.importorskip("shapely")
    r = np.random.default_rng(4)
    angle = np.sort(r.uniform(0, 2 * np.pi, 40))
    radius = r.uniform(20, 45, 40)
    polygon = shapely.Polygon(
        np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]) + 50
    )
    y, x = np.mgrid[:100, :100]
    np.testing.assert_array_equal(
        polymask.polygon_mask(polygon, (100, 100)), shapely.contains_xy(polygon, x, y)
    )


def test_south_africa_has_a_hole():
    south_africa = next(
        f for f in COUNTRIES["features"] if f["properties"]["name"] == "South Africa"
    )
    rings = south_africa["geometry"]["coordinates"]
    assert len(rings) == 2
    lesotho = np.mean(rings[1], axis=0)
    pretoria = (28.2, -25.7)
    assert polymask.contains(south_africa, [lesotho, pretoria]).tolist() == [False, True]
    assert polymask.contains(rings[0], [lesotho]).tolist() == [True]


@pytest.mark.parametrize(
    ("polygon", "error", "message"),
    [
        (geojson("Point", [1, 2]), ValueError, "'Point'"),
        ({"coordinates": []}, ValueError, "got None"),
        ({"type": "FeatureCollection", "features": []}, ValueError, "label_mask"),
        (geojson("Polygon", [[(1, 1), (2, 2)]]), ValueError, "3 vertices or more"),
        (geojson("Polygon", [1, 2, 3]), ValueError, "not nested"),
        (geojson("Polygon", [(1, 1), (2, 2), (3, 1)]), ValueError, "not nested"),
        ({"type": "MultiPolygon"}, ValueError, "has no coordinates"),
        ([OUTER, [(1, 1), (2, 2)]], ValueError, "3 vertices or more"),
        ([OUTER, [(1, 1), (2, np.nan), (4, 4)]], ValueError, "vertex 1 is not finite"),
        (np.where(TRIANGLE == 4, np.inf, TRIANGLE), ValueError, "vertex 1 is not finite"),
        (TRIANGLE + 1j, TypeError, "real numbers"),
        ("triangle", TypeError, "real numbers"),
        (None, TypeError, "real numbers"),
        ([], ValueError, "shape"),
        (np.zeros((2, 2, 2, 2)), ValueError, "shape"),
    ],
)
def test_bad_polygons(polygon, error, message):
    out = np.full(SHAPE, 9, np.uint8)
    with pytest.raises(error, match=message):
        polymask.polygon_mask(polygon, SHAPE, out=out)
    with pytest.raises(error, match=message):
        polymask.contains(polygon, [(1, 1)])
    assert (out == 9).all()


# out, dtype and the other options.


def test_out_is_written_in_every_byte_and_returned():
    for dtype in bool, np.uint8:
        out = np.ones(SHAPE, dtype)
        assert polymask.polygon_mask(TRIANGLE, SHAPE, out=out) is out
        np.testing.assert_array_equal(out, mask_of(TRIANGLE))
    assert set(np.unique(polymask.polygon_mask(TRIANGLE, SHAPE, out=out).view(np.uint8))) == {0, 1}


def test_out_at_any_address():
    for shift in range(1, 9):
        buffer = np.full(SHAPE[0] * SHAPE[1] + 16, 9, np.uint8)
        out = buffer[shift : shift + SHAPE[0] * SHAPE[1]].reshape(SHAPE)
        mask_of(OUTER, out=out)
        np.testing.assert_array_equal(out, mask_of(OUTER))
        assert (buffer[:shift] == 9).all()
        assert (buffer[shift + out.size :] == 9).all()


@pytest.mark.parametrize("stores", ["cached", "prefetched", "streaming"])
@pytest.mark.parametrize("isa", ["plain", "neon", "avx2", "avx512"])
def test_wide_rows_at_any_address(isa, stores, monkeypatch):
    """Rows that share a line of the cache, whose last samples are the next row's first bytes."""
    if isa not in _engine.instruction_sets():
        pytest.skip(f"this processor has no {isa}")
    monkeypatch.setenv("POLYMASK_ISA", isa)
    monkeypatch.setenv("POLYMASK_STORES", stores)
    for cols in (2049, 2112, 4096, 5003):
        shape = (19, cols)
        vertices = workload.polygon(9, shape, seed=cols)
        expected = reference.by_rows(vertices, shape)
        for shift in (0, 1, 16, 63):
            for before, is_zero in ((9, False), (0, True)):
                buffer = np.full(expected.size + 200, before, np.uint8)
                out = buffer[shift : shift + expected.size].reshape(shape)
                _engine.fill(vertices, None, out, cols, False, True, False, 0, 0, is_zero, 2)
                np.testing.assert_array_equal(out, expected)
                assert (buffer[:shift] == before).all()
                assert (buffer[shift + expected.size :] == before).all()


def read_only(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("shape", [5, (5,), (5, 6, 7), (2.0, 3), (-1, 4), "ab", (2**40, 2**40)])
def test_bad_shapes(shape):
    with pytest.raises(ValueError, match="shape"):
        polymask.polygon_mask(TRIANGLE, shape)


def test_swapped_arguments_are_told():
    with pytest.raises(ValueError, match="swapped"):
        polymask.polygon_mask(SHAPE, TRIANGLE)


@pytest.mark.parametrize("shape", [(0, 0), (0, 7), (7, 0)])
def test_empty_shapes(shape):
    assert polymask.polygon_mask(TRIANGLE, shape).shape == shape
    packed = polymask.polygon_mask(TRIANGLE, shape, packed=True)
    assert packed.shape == (shape[0], math.ceil(shape[1] / 8))


def test_input_is_never_written_to():
    vertices = read_only(OUTER.copy())
    mask_of(vertices)
    mask_of([vertices, vertices])
    np.testing.assert_array_equal(vertices, OUTER)


def test_many_python_threads_at_once():
    jobs = list(random_polygons(200, seed=9))
    with ThreadPoolExecutor(4) as pool:
        masks = list(pool.map(lambda job: mask_of(*job, threads=2), jobs))
    for (vertices, shape), mask in zip(jobs, masks, strict=True):
        np.testing.assert_array_equal(mask, reference.by_rows(vertices, shape))


# Labels.


def test_later_labels_lie_on_top():
    labels = polymask.label_mask([OUTER, TRIANGLE], SHAPE, labels=[3, 300])
    expected = 3 * mask_of(OUTER).astype(np.uint16)
    expected[mask_of(TRIANGLE).astype(bool)] = 300
    assert labels.dtype == np.uint16
    np.testing.assert_array_equal(labels, expected)


def test_labels_count_from_one_and_choose_their_type():
    assert polymask.label_mask([OUTER], SHAPE).max() == 1
    assert polymask.label_mask([OUTER] * 300, (3, 3)).dtype == np.uint16
    assert polymask.label_mask([OUTER], (3, 3), labels=[-1]).dtype == np.int64
    assert polymask.label_mask([], (3, 3)).tolist() == [[0] * 3] * 3


def test_label_mask_options():
    polygons = [
        [OUTER, HOLE],
        geojson("MultiPolygon", [[TRIANGLE.tolist()], [(HOLE + 3).tolist()]]),
    ]
    out = np.full((10, 12), 77, np.int32)
    found = polymask.label_mask(
        polygons, (10, 12), labels=[5, 6], out=out, center=True, offset=(2, 3), border_value=False
    )
    assert found is out
    options = {"center": True, "offset": (2, 3), "border_value": False}
    expected = 5 * mask_of(polygons[0], (10, 12), **options).astype(np.int32)
    expected[mask_of(polygons[1], (10, 12), **options) == 1] = 6
    np.testing.assert_array_equal(out, expected)


def test_feature_collection_and_progress():
    seen = []
    labels = polymask.label_mask(COUNTRIES, (180, 360), offset=(-90, -180), progress=seen.append)
    assert seen == list(range(1, len(COUNTRIES["features"]) + 1))
    assert len(np.unique(labels)) > 100
    number = 1 + [f["properties"]["name"] for f in COUNTRIES["features"]].index("Brazil")
    assert labels[-10 + 90, -55 + 180] == number


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": [1]}, "1 labels for 2 polygons"),
        ({"labels": [1, 2.5]}, "integers"),
        ({"labels": [1, 300], "dtype": np.uint8}, "do not fit uint8"),
        ({"labels": [1, 300], "out": np.zeros(SHAPE, np.uint8)}, "do not fit uint8"),
        ({"dtype": float}, "integer type"),
        ({"dtype": np.int16, "out": np.zeros(SHAPE, np.uint8)}, "dtype int16"),
        ({"out": np.zeros((3, 3), np.uint8)}, "shape"),
        ({"labels": [1, 2**70]}, "fit no integer type"),
    ],
)
def test_bad_labels(options, message):
    with pytest.raises(ValueError, match=message):
        polymask.label_mask([OUTER, TRIANGLE], SHAPE, **options)


def test_bad_polygon_of_many_is_named_and_nothing_written():
    out = np.full(SHAPE, 9, np.uint8)
    with pytest.raises(ValueError, match=r"polygon 1: .*3 vertices"):
        polymask.label_mask([OUTER, [(1, 1)]], SHAPE, out=out)
    assert (out == 9).all()


# The module.


def test_public_functions_load_lazily_and_are_listed():
    code = (
        "import sys, polymask; assert 'polymask._engine' not in sys.modules; "
        "assert {'polygon_mask', 'contains', 'label_mask'} <= set(dir(polymask)); "
        "from polymask import polygon_mask; assert 'polymask._engine' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'polygon_masks'"):
        polymask.polygon_masks  # noqa: B018
