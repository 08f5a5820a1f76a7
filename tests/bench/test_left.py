"""Masks left on a device: their check, their samples, and their row apart from the others."""

from types import SimpleNamespace

from ladder.bench import driver, left, result_json
from ladder.bench.plan import Plan
from ladder.registry import reference
from ladder.report import headline, results, table

KEY, SHAPE = "fake.left", (20, 30)


def right(vertices, shape, border_value=True, *, level=1):
    return reference.mask(vertices, shape, border_value)


def leave(vertices, shape, border_value=True, *, level=1):
    """Return an array that has to be copied, like CuPy's."""
    return SimpleNamespace(get=lambda: right(vertices, shape, border_value))


def measure(**options):
    return driver.measure(Plan([KEY], shape=SHAPE, seconds=0, options={KEY: options}))


def test_the_mask_on_the_device_has_a_row_without_ratios(plant, tmp_path):
    plant(KEY, right, leaves=True, leave_mask=leave)
    result = measure(level=3)
    result_json.save(result, tmp_path / "result.json")
    (result,) = results.load(tmp_path / "result.json")
    row = result.row(KEY)
    assert len(row.left_samples_s) == left.SAMPLES
    whole, on_device = table.with_left(table.ordered(result))
    assert whole is row
    assert on_device.key == f"{KEY} ²"
    assert min(row.left_samples_s) <= on_device.median_s <= max(row.left_samples_s)
    assert (on_device.speedup, on_device.speedup_before, on_device.times_yardstick) == (None,) * 3
    assert len(table.as_table(result, all_columns=False).rows) == 2
    assert any(note.startswith("² Left on the device") for note in table.notes(result, False))
    assert "²" not in headline.headline(result)


def test_a_wrong_mask_on_the_device_makes_the_row_wrong(plant):
    def leave_wrong(vertices, shape, **options):
        return SimpleNamespace(get=lambda: right(vertices, shape) ^ 1)

    plant(KEY, right, leaves=True, leave_mask=leave_wrong)
    row = measure().row(KEY)
    assert row.status == "wrong"
    assert str(SHAPE[0] * SHAPE[1]) in row.reason


def test_other_rungs_leave_no_mask(plant):
    plant(KEY, right)
    result = measure()
    assert result.row(KEY).left_samples_s == []
    assert table.with_left(result.rows) == result.rows
    assert not any(note.startswith("²") for note in table.notes(result))
