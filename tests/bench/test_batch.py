"""Batches of polygons: the function that draws them, their correctness and their samples."""

import numpy as np
import pytest
from cases import says

from ladder.bench import batch, driver, result_json
from ladder.bench.plan import Plan
from ladder.common import confidence
from ladder.registry import reference
from ladder.report import columns, results, table

KEY, SHAPE = "fake.batch", (20, 30)


def right(vertices, shape, border_value=True, *, level=1):
    return reference.mask(vertices, shape, border_value)


def measure(seconds=0, **options):
    result = driver.measure(Plan([KEY], shape=SHAPE, seconds=seconds, options={KEY: options}))
    return result, result.row(KEY)


@pytest.mark.slow
def test_a_batch_is_made_by_the_rung_s_own_function(plant, monkeypatch):
    calls = []

    def make_masks(polygons, shape, *, level=1):
        calls.append((np.array(polygons), level))
        return [right(polygon, shape) for polygon in polygons]

    plant(KEY, right, batch=True, make_masks=make_masks)
    monkeypatch.setattr(batch, "PART", 1e6)
    result, row = measure(seconds=0.01, level=3)
    assert row.ok
    assert row.batch.polygons == len(calls[0][0]) == batch.POLYGONS
    assert {level for _, level in calls} == {3}
    first = np.array(result.workload.polygon_xy)
    for column, polygon in enumerate(calls[0][0]):
        np.testing.assert_array_equal(polygon, first + (column, 0))
    assert len(row.batch.samples_s) == len(calls) - 1 == batch.ROUNDS  # the first one is checked
    assert row.batch.mask_s == confidence.median(row.batch.samples_s)
    assert row.batch.ci95_s == confidence.bootstrap_ci95(row.batch.samples_s)


def test_a_rung_without_batch_in_its_entry_has_none(plant):
    plant(KEY, right)
    result, row = measure()
    assert row.ok
    assert row.batch is None
    assert "batch: masks/s" not in [column.heading for column in columns.select(result)]


def one_pixel_off(polygons, shape, *, level=1):
    masks = [right(polygon, shape) for polygon in polygons]
    masks[-1][0, 0] ^= 1
    return masks


def raises(polygons, shape, *, level=1):
    raise ZeroDivisionError("no luck")


@pytest.mark.parametrize(
    ("make_masks", "reason"),
    [
        (one_pixel_off, "1 pixels of a batch of 8 masks differ"),
        (lambda polygons, shape: [right(polygons[0], shape)] * 8, "differ from the reference"),
        (lambda polygons, shape: [right(polygons[0], shape)], "must have as many masks, not 1"),
        (raises, "a batch raised ZeroDivisionError: no luck"),
    ],
    ids=["a pixel", "one for all", "too few", "raises"],
)
def test_a_batch_that_is_wrong_makes_a_wrong_row(plant, make_masks, reason):
    plant(KEY, right, batch=True, make_masks=make_masks)
    _, row = measure()
    assert row.status == "wrong"
    assert reason in row.reason
    assert row.median_s is None


def test_masks_a_second_are_shown_and_read_back(plant, tmp_path):
    plant(KEY, right, batch=True)
    result, row = measure()
    file = tmp_path / "some.json"
    result_json.save(result, file)
    assert results.load(file) == [result]
    row.batch.mask_s, row.batch.samples_s = 0.025, [0.025] * 5
    cells = [line for line in table.markdown(result).splitlines() if KEY in line]
    assert "| 40.0 |" in cells[0]
    assert says(table.legend(result), "Batch", "second")
    row.batch.ci95_s = (0.0246, 0.0253)
    assert f"{KEY}: a mask takes 24.6–25.3 ms (95 %) in a batch of 8 polygons" in table.notes(
        result
    )
