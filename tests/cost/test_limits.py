"""Counts of work, prices, and the limits that both give: numbers and texts."""

import cProfile
import pstats
import random

import pytest
from cases import folded, says
from mended import made_result, made_row

from ladder import devices, registry
from ladder.bench import driver, result_json
from ladder.bench.plan import Plan
from ladder.cost import counts, limits, prices
from ladder.python import tuples
from ladder.registry import work
from ladder.report import limits as texts
from ladder.report import results

STAR = [(2, 1), (15, 9), (3, 8), (14, 0), (7, 12), (7, 3), (2, 1), (30, 4)]  # vertices on pixels
SHAPE = (11, 17)
FILLS = {"byte_s": 1e-12, "fill_call_s": 5e-7}


def polygons():
    """Yield polygons of integer or real vertices, some outside the image, and a star."""
    r = random.Random(3)
    for number in range(30):
        draw = r.randint if number % 3 else r.uniform
        yield [(draw(-4, 20), draw(-4, 14)) for _ in range(r.randint(3, 9))]
    yield STAR


def count_step_by_step(vertices, shape, last_edge_first):
    """Evaluate the rule as it is written and count each step."""
    count = dict.fromkeys(("visited", "same_x", "asked", "above", "band", "left", "divided"), 0)
    edges = list(zip(vertices, [*vertices[1:], vertices[0]], strict=True))
    edges = edges[-1:] + edges[:-1] if last_edge_first else edges
    for y in range(shape[0]):
        for x in range(shape[1]):
            for (x1, y1), (x2, y2) in edges:
                count["visited"] += 1
                count["same_x"] += x == x1
                if x == x1 and y == y1:
                    break
                count["asked"] += 1
                above = y > min(y1, y2)
                band = above and y <= max(y1, y2)
                left = band and x <= max(x1, x2)
                count["above"] += above
                count["band"] += band
                count["left"] += left
                count["divided"] += left and x1 != x2
    return count


@pytest.mark.parametrize("last_edge_first", [True, False])
def test_counts_equal_those_of_the_rule_step_by_step(last_edge_first):
    for vertices in polygons():
        expected = count_step_by_step(vertices, SHAPE, last_edge_first)
        count = counts.of(vertices, SHAPE, last_edge_first)
        assert {name: count[name] for name in expected} == expected


def test_the_profiler_counts_the_calls_in_the_work_of_python_tuples():
    profile = cProfile.Profile()
    profile.runcall(tuples.make_mask, STAR, SHAPE)
    calls = {}  # from tuples.py only: contract.check calls max, too
    for (_, _, name), (*_, callers) in pstats.Stats(profile).stats.items():
        numbers = [stats[1] for (file, _, _), stats in callers.items() if file == tuples.__file__]
        calls[name] = sum(numbers)
    count = counts.of(STAR, SHAPE, last_edge_first=False)
    bill = registry.get("python.tuples").work.calls
    calls_of_min_max = sum(count[name] * times for name, times in bill["builtin_call_s"].items())
    assert calls["inside_polygon"] == SHAPE[0] * SHAPE[1] == count["pixels"]
    assert calls["<built-in method builtins.min>"] == count["asked"]
    names = ("min", "max")
    assert calls_of_min_max == sum(calls[f"<built-in method builtins.{name}>"] for name in names)


def test_crossings_of_huge_coordinates_do_not_overflow():
    count = counts.of([(-1e300, -1e300), (1e300, 1e300), (0, 5e299)], SHAPE)
    assert count["crossings"] == 2 * SHAPE[0]


# One per kind of device.
LAUNCHES = [work.LAUNCH, work.OFFLOAD, work.SYCL_LAUNCH, work.CUDA_LAUNCH]
LAUNCH_PRICES = set().union(*LAUNCHES)
WORK = {rung.key: rung.work for rung in registry.RUNGS if rung.work} | texts.API_WORK


@folded("entry", WORK.values())
def test_work_uses_known_counts_and_prices(entry):
    count_names = counts.of(STAR, SHAPE).keys()
    price_names = prices.actions().keys() | LAUNCH_PRICES
    assert price_names == texts.PRICE_OF.keys() | FILLS.keys()
    assert entry.launch in [{}, *LAUNCHES]
    for amounts in (entry.operations, entry.divisions, entry.calls):
        assert amounts.keys() <= price_names
        assert all(amount.keys() <= count_names for amount in amounts.values())
    assert entry.traffic.keys() <= count_names
    assert set(entry.terms) <= count_names
    assert entry.rest.keys() <= set(work.LIMITS) == texts.REST.keys()


def one_row(key="cclass.polygon", median_s=1.0, threads=1, **others):
    """Return a result of one row, with a price of a nanosecond for every action."""
    row = made_row(key, median_s, threads=threads, **{"cores_used": threads} | others)
    costs = dict.fromkeys(texts.PRICE_OF, 1e-9) | FILLS
    result = made_result([row], STAR, SHAPE, memset_fresh_s=2e-6, memset_warm_s=1e-6, prices=costs)
    result.machine.affinity = 2
    return result


def device(type_):
    """Return the devices in a machine's record: one, of this type."""
    return {"opencl": devices.Device("", "", "", "", type_, 2)}


def test_the_largest_limit_binds():
    result = limits.of_result(one_row(median_s=1e-3))["cclass.polygon"]
    count = counts.of(STAR, SHAPE)
    operations = sum(count[name] * times for name, times in work.RULE.items())
    named = {limit.name: limit for limit in result.all}
    assert named["memory"].seconds == pytest.approx(1.5e-6)  # the fresh time: the mask is new
    assert named["arithmetic"].seconds == pytest.approx(operations * 1e-9)
    assert f"{operations:,} × an operation (1.00 ns)" in texts.why(named["arithmetic"])
    assert named["calls"].seconds == pytest.approx(2e-9)
    assert result.largest is named["arithmetic"]
    assert result.distance == pytest.approx(1e-3 / (operations * 1e-9))
    assert texts.explanation(result).startswith("Bound by arithmetic: ")


@pytest.mark.parametrize("fresh_s", [4e-7, 9e-7])  # less than a call with one byte; a little more
def test_the_limit_of_a_small_mask_excludes_the_call_to_memset(fresh_s):
    result = one_row("scanline.engine")
    result.yardstick.memset_fresh_s = fresh_s
    named = {limit.name: limit for limit in limits.of_result(result)["scanline.engine"].all}
    packed_words = counts.of(STAR, SHAPE)["words"]
    traffic = registry.get("scanline.engine").work.traffic["words"] * packed_words
    assert named["memory"].seconds == pytest.approx(1e-12 * (SHAPE[0] * SHAPE[1] + traffic))


def test_threads_count_up_to_the_number_of_cores():
    single, double, eight = (
        limits.of_result(one_row("openmp.prange", threads=n))["openmp.prange"] for n in (1, 2, 8)
    )
    assert double.largest.seconds == pytest.approx(single.largest.seconds / 2)
    assert eight.largest.seconds == double.largest.seconds
    assert "on 2 cores" in texts.explanation(double)
    assert "cores" not in texts.explanation(single)
    idle = limits.of_result(one_row("openmp.prange", threads=2, cores_used=1.04))
    assert "Of its 2 cores, 1.0 were busy." in texts.explanation(idle["openmp.prange"])
    busy = limits.of_result(one_row(cores_used=0.5))["cclass.polygon"]
    assert "It had its core for only 50 % of the time" in texts.explanation(busy)


def test_explanations_tell_the_distance_from_the_limit():
    limit_s = limits.of_result(one_row())["cclass.polygon"].largest.seconds
    slow_machine = "or the machine was slower while prices were measured"
    for times, remark in ((0.5, slow_machine), (1.1, "runs at its limit"), (3, "branch")):
        result = limits.of_result(one_row(median_s=times * limit_s))["cclass.polygon"]
        assert remark in texts.explanation(result)
        assert f"It takes {times:.2g}" in texts.explanation(result)


def test_rows_without_a_time_and_unknown_rows_are_left_out():
    assert limits.of_result(one_row(median_s=None)) == {}
    assert limits.of_result(one_row(key="peer.silx")) == {}


@pytest.mark.parametrize("key", ["opencl.pixels", "scanline.opencl"])
def test_a_device_has_limits_where_it_is_the_cpu(key):
    result = one_row(key, threads=2, kernel_s=0.25)
    assert limits.of_result(result) == {}
    result.machine.devices = device("other")
    assert limits.of_result(result) == {}
    result.machine.devices = device("CPU")
    explanation = texts.explanation(limits.of_result(result)[key])
    assert says(explanation, "device's", "250", "time")


DEVICES = ["opencl.pixels", "scanline.opencl"]
LAUNCH_S = 1e-3


def launch_limits(key, kernel, launch=LAUNCH_S):
    """Return the limits of a row that takes ten launches; `kernel` is the kernel's share of it."""
    median_s = 10 * LAUNCH_S
    result = one_row(key, median_s, threads=2, kernel_s=kernel * median_s)
    result.machine.devices = device("CPU")
    for name in work.LAUNCH:
        del result.yardstick.prices[name]
    if launch:
        parts = sum(count["once"] for count in work.LAUNCH.values())
        result.yardstick.prices |= dict.fromkeys(work.LAUNCH, launch / parts)
    return limits.of_result(result)[key]


@pytest.mark.parametrize("key", DEVICES)
def test_a_small_image_on_a_device_is_bound_by_the_launch(key):
    result = launch_limits(key, kernel=0.1)
    assert result.largest.name == "launch"
    assert result.largest.seconds == pytest.approx(LAUNCH_S)
    assert result.binds
    assert texts.explanation(result).startswith(
        "Bound by the launch: 1.00 ms at least. It takes 10 times that"
    )
    assert "1 × a copy, an empty kernel and a copy back" in texts.why(result.largest)


@pytest.mark.parametrize("key", DEVICES)
def test_an_unexplained_time_is_not_called_bound(key):
    """Arithmetic does not bind beside a kernel, nor does the launch beside a long kernel."""
    old = launch_limits(key, kernel=0.1, launch=None)
    assert old.largest.name in ("arithmetic", "memory")
    cheap = launch_limits(key, kernel=0.1, launch=1e-10)
    busy = launch_limits(key, kernel=0.9)
    assert busy.largest.name == "launch"
    for result in (old, cheap, busy):
        assert not result.binds
        assert texts.explanation(result).startswith(
            "None of these limits explains its time: the largest, "
        )
        assert "Bound by" not in texts.explanation(result)
    assert says(texts.explanation(old), "outside", "priced")
    assert says(texts.explanation(cheap), "0.100", "least")
    assert says(texts.explanation(busy), "Most", "kernel")
    assert launch_limits(key, kernel=0.9, launch=None).binds  # a kernel that computes for long


def test_an_image_without_pixels_has_no_limits():
    result = one_row()
    result.workload.shape = (0, 17)
    assert limits.of_result(result) == {}


def test_the_price_of_a_python_call_comes_from_two_rows():
    result = one_row("cython.typed", median_s=4.0)
    typed = registry.get("cython.typed")
    assert limits.price_share(typed, result) is None
    assert texts.prices_paid(result) == []
    result.rows += one_row("cclass.polygon", median_s=1.0).rows
    assert limits.price_share(typed, result) == 0.75
    (line,) = texts.prices_paid(result)
    assert line.startswith("cython.typed: 75 % of its time is the price of a Python call")


def test_prices_are_measured_in_the_run_and_kept_in_its_json(tmp_path):
    result = driver.measure(Plan(["cclass.polygon", "python.tuples"], STAR, SHAPE, seconds=0))
    result_json.save(result, tmp_path / "bench.json")
    (result,) = results.load(tmp_path / "bench.json")
    measured = result.yardstick.prices
    assert measured.keys() == (texts.PRICE_OF.keys() - LAUNCH_PRICES) | FILLS.keys()
    assert all(price > 0 for price in measured.values())
    by_key = limits.of_result(result)
    assert by_key.keys() == {"cclass.polygon", "python.tuples"}
    for row_limits in by_key.values():
        assert row_limits.distance == row_limits.row.median_s / row_limits.largest.seconds


def test_a_price_is_the_minimum_of_its_samples(monkeypatch):
    monkeypatch.setattr(prices, "actions", lambda: {"call_s": (None, 1)})
    durations = iter([1.0] * 3 + [9.0] * prices.SAMPLES + [7.0, 5.0] * prices.SAMPLES)
    monkeypatch.setattr(prices, "seconds", lambda action, count: next(durations))
    sampled = prices.Prices()
    sampled.sample()
    sampled.sample()
    assert sampled.record() == {"call_s": 5.0}


def test_a_disturbed_sample_does_not_make_few_calls_enough(monkeypatch):
    disturbed = iter([1.0])
    monkeypatch.setattr(prices, "seconds", lambda action, count: next(disturbed, count * 1e-6))
    assert prices.repetitions_per_sample(None, 1) == 256
