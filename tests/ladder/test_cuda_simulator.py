"""numba.gpu in Numba's simulator, in a separate process: every byte is right, nothing is timed."""

import json

import pytest
from fresh_python import run

pytest.importorskip("numba")

SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1"}
REASON = "NUMBA_ENABLE_CUDASIM is set: Numba's simulator replaces the device, and is never timed"
KEY = "numba.gpu"

WRONG = """
import json, sys
import numpy as np
from ladder.devices import cuda as device
from ladder.registry import reference, workload
from ladder.numba import gpu as rung

def wrong(vertices, shape, border_value=True, **options):
    mask = rung.make_mask(vertices, shape, border_value, **options)
    assert mask.dtype == np.uint8 and mask.shape == shape and mask.flags.writeable
    return int(np.count_nonzero(mask != reference.mask(vertices, shape, border_value)))
"""


def simulate(code):
    """Run code after `WRONG` under the simulator; return its output, parsed as JSON."""
    done = run("-c", WRONG + code, **SIMULATOR)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_the_masks_are_right_to_the_bit():
    counts = simulate("""
real = np.random.default_rng(0).uniform(-9, 70, (12, 2))
huge = [(5, -1.7e308), (1.7e308, 1.7e308), (-1.7e308, 3), (5e-324, 5e-324), (7, 3), (1e15, -1e300)]
polygons = {"integers": workload.polygon(24, (64, 48)), "real": real, "huge": huge}
print(json.dumps({
    f"{name}, {border}": wrong(np.array(vertices, float), (64, 48), border)
    for name, vertices in polygons.items() for border in (True, False)
}))
""")
    assert len(counts) == 6
    assert not any(counts.values()), counts


@pytest.mark.slow
def test_any_shape_of_a_block_gives_the_same_mask():
    """The image is not a multiple of any block, and nothing beyond it is written."""
    assert not any(
        simulate("""
vertices = np.array([(3, 2), (500, 2), (500, 500), (3, 500)], float)
groups = [None, (1, 1), (8, 8), (16, 4), (1, 32), (64, 1), (32, 32)]
print(json.dumps([wrong(vertices, (13, 37), work_group=group) for group in groups]))
""")
    )


@pytest.mark.slow
def test_a_grid_that_is_not_high_enough_goes_on_below():
    """A grid has at most 65535 blocks in y: here three blocks of four rows compute 64 rows."""
    assert not any(
        simulate("""
device.MOST_BLOCKS = 3
vertices = workload.polygon(9, (64, 20))
print(json.dumps([wrong(vertices, (64, 20), work_group=(4, 8))]))
""")
    )


def test_an_image_without_pixels_and_bad_options():
    assert simulate("""
messages = []
for group in ((0, 1), (33, 32), (-1, -1)):
    try:
        rung.make_mask([(1, 2), (9, 4), (3, 8)], (5, 6), work_group=group)
    except ValueError as error:
        messages.append(str(error))
print(json.dumps([rung.make_mask([(1, 2), (9, 4), (3, 8)], (0, 3)).shape, *messages]))
""") == [
        [0, 3],
        "a work-group has 1 to 1024 items here, got 0x1",
        "a work-group has 1 to 1024 items here, got 33x32",
        "work_group must not be negative, got (-1, -1)",
    ]


# Never timed


@pytest.mark.slow
def test_the_driver_refuses_to_time_the_simulator(tmp_path):
    done = run(
        "-m", "polymask", "bench", "--shape", "24x32", "--seconds", 0, "--rungs",
        f"cclass.polygon,{KEY}", "--out", tmp_path, **SIMULATOR,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = {row["key"]: row for row in json.loads((tmp_path / "bench.json").read_text())["rows"]}
    assert rows["cclass.polygon"]["status"] == "ok"
    assert rows[KEY]["status"] == "skipped"
    assert rows[KEY]["reason"].startswith(REASON)
    assert rows[KEY]["median_s"] is rows[KEY]["first_call_s"] is None


def test_events_of_the_simulator_have_no_times():
    assert simulate("""
from polymask.contract import Unavailable
events, message = {}, ""
rung.make_mask([(1, 2), (9, 4), (3, 8)], (5, 6), events=events)
try:
    device.KIND.commands(events)
except Unavailable as unavailable:
    message = str(unavailable)
print(json.dumps([list(events), message]))
""") == [
        ["to_device", "kernel", "to_host"],
        "Numba's simulator measures no times: unset NUMBA_ENABLE_CUDASIM",
    ]
