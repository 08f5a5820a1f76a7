"""Counts of work, prices, and the limits that both give: numbers, and words."""

import copy
import cProfile
import dataclasses
import pstats
import random
import re
import sys

import pytest
from cases import folded, says
from checkouts import ROOT
from mended import made_result, made_row

from polymask import contract, devices
from polymask.bench import driver, result_json
from polymask.bench.plan import Plan
from polymask.cost import counts, limits, prices
from polymask.ladder import registry, work
from polymask.python import tuples
from polymask.report import limits as words
from polymask.report import results, table

RESULT = ROOT / "results" / "2026-11-21-amd-epyc.json"
STAR = [(2, 1), (15, 9), (3, 8), (14, 0), (7, 12), (7, 3), (2, 1), (30, 4)]  # vertices on pixels
SHAPE = (11, 17)
FILLS = {"byte_s": 1e-12, "fill_call_s": 5e-7}


def polygons():
    """Whole and real vertices, on the image and off it, some twice, some edges upright or flat."""
    r = random.Random(3)
    for number in range(30):
        draw = r.randint if number % 3 else r.uniform
        yield [(draw(-4, 20), draw(-4, 14)) for _ in range(r.randint(3, 9))]
    yield STAR


def counted_one_by_one(vertices, shape, last_edge_first):
    """The rule as it is written, with a count at each step."""
    found = dict.fromkeys(("visited", "same_x", "asked", "above", "band", "left", "divided"), 0)
    edges = list(zip(vertices, [*vertices[1:], vertices[0]], strict=True))
    edges = edges[-1:] + edges[:-1] if last_edge_first else edges
    for y in range(shape[0]):
        for x in range(shape[1]):
            for (x1, y1), (x2, y2) in edges:
                found["visited"] += 1
                found["same_x"] += x == x1
                if x == x1 and y == y1:
                    break
                found["asked"] += 1
                above = y > min(y1, y2)
                band = above and y <= max(y1, y2)
                left = band and x <= max(x1, x2)
                found["above"] += above
                found["band"] += band
                found["left"] += left
                found["divided"] += left and x1 != x2
    return found


@pytest.mark.parametrize("last_edge_first", [True, False])
def test_counts_are_those_of_the_rule_taken_step_by_step(last_edge_first):
    for vertices in polygons():
        right = counted_one_by_one(vertices, SHAPE, last_edge_first)
        found = counts.of(vertices, SHAPE, last_edge_first)
        assert {name: found[name] for name in right} == right


def test_the_profiler_counts_as_many_calls_as_the_work_of_python_tuples_says():
    profile = cProfile.Profile()
    profile.runcall(tuples.make_mask, STAR, SHAPE)
    calls = {}  # of functions of ours: contract.check takes a max of its own
    for (_, _, name), (*_, callers) in pstats.Stats(profile).stats.items():
        ours = [stats[1] for (file, _, _), stats in callers.items() if file == tuples.__file__]
        calls[name] = sum(ours)
    found = counts.of(STAR, SHAPE, last_edge_first=False)
    bill = registry.get("python.tuples").work.calls
    of_min_and_max = sum(found[name] * times for name, times in bill["builtin_call_s"].items())
    assert calls["inside_polygon"] == SHAPE[0] * SHAPE[1] == found["pixels"]
    assert calls["<built-in method builtins.min>"] == found["asked"]
    names = ("min", "max")
    assert of_min_and_max == sum(calls[f"<built-in method builtins.{name}>"] for name in names)


def test_crossings_of_huge_coordinates_are_counted_and_not_overflown():
    found = counts.of([(-1e300, -1e300), (1e300, 1e300), (0, 5e299)], SHAPE)
    assert found["crossings"] == 2 * SHAPE[0]


def test_lesson_0_counts_the_same_bytes_for_an_edge():
    traffic = registry.get("python.vectorized").work.traffic
    per_edge = sum(traffic[f"{kind}_pixels"] for kind in ("edge", "sloping", "slanted"))
    lesson = (ROOT / "0_python" / "README.md").read_text(encoding="utf-8")
    assert re.search(r"That is (\d+) bytes in total", lesson)[1] == str(per_edge)


# A kind of device has one.
LAUNCHES = [work.LAUNCH, work.OFFLOAD, work.SYCL_LAUNCH, work.CUDA_LAUNCH]
LAUNCHED = set().union(*LAUNCHES)
WORK = {rung.key: rung.work for rung in registry.RUNGS if rung.work} | words.API_WORK


@folded("entry", WORK.values())
def test_work_is_in_terms_of_what_is_counted_and_priced(entry):
    names = counts.of(STAR, SHAPE).keys()
    priced = prices.actions().keys() | LAUNCHED
    assert priced == words.PRICE_OF.keys() | FILLS.keys()
    assert entry.launch in [{}, *LAUNCHES]
    for amounts in (entry.operations, entry.divisions, entry.calls):
        assert amounts.keys() <= priced
        assert all(amount.keys() <= names for amount in amounts.values())
    assert entry.traffic.keys() <= names
    assert set(entry.terms) <= names
    assert entry.rest.keys() <= set(work.LIMITS) == words.REST.keys()


def made_up(key="cclass.polygon", median_s=1.0, threads=1, **others):
    """A result of one row, with a price of a nanosecond for all things."""
    row = made_row(key, median_s, threads=threads, **{"cores_used": threads} | others)
    priced = dict.fromkeys(words.PRICE_OF, 1e-9) | FILLS
    made = made_result([row], STAR, SHAPE, memset_fresh_s=2e-6, memset_warm_s=1e-6, prices=priced)
    made.machine.affinity = 2
    return made


def device(type_):
    """A device of a type, by its kind, as a machine's record has it."""
    return {"opencl": devices.Device("", "", "", "", type_, 2)}


def test_the_largest_limit_binds():
    found = limits.of_result(made_up(median_s=1e-3))["cclass.polygon"]
    count = counts.of(STAR, SHAPE)
    operations = sum(count[name] * times for name, times in work.RULE.items())
    named = {limit.name: limit for limit in found.all}
    assert named["memory"].seconds == pytest.approx(1.5e-6)  # the fresh one: the mask is new
    assert named["arithmetic"].seconds == pytest.approx(operations * 1e-9)
    assert f"{operations:,} × an operation (1.00 ns)" in words.why(named["arithmetic"])
    assert named["calls"].seconds == pytest.approx(2e-9)
    assert found.largest is named["arithmetic"]
    assert found.distance == pytest.approx(1e-3 / (operations * 1e-9))
    assert words.explanation(found).startswith("Bound by arithmetic: ")


def memory(key, **others):
    """The limit by memory of a row."""
    result = made_up(key, **others)
    return next(one for one in limits.of_result(result)[key].all if one.name == "memory")


@pytest.mark.parametrize("fresh_s", [4e-7, 9e-7])  # less than for a single byte; hardly more
def test_a_small_mask_is_not_held_against_the_call_of_memset(fresh_s):
    result = made_up("scanline.engine")
    result.yardstick.memset_fresh_s = fresh_s
    named = {one.name: one for one in limits.of_result(result)["scanline.engine"].all}
    words_of_bits = counts.of(STAR, SHAPE)["words"]
    traffic = registry.get("scanline.engine").work.traffic["words"] * words_of_bits
    assert named["memory"].seconds == pytest.approx(1e-12 * (SHAPE[0] * SHAPE[1] + traffic))


def test_the_mask_is_filled_at_best_where_the_least_is_known():
    result = made_up()
    result.yardstick.memset_fresh_min_s = 1.7e-6
    named = {one.name: one for one in limits.of_result(result)["cclass.polygon"].all}
    assert named["memory"].seconds == pytest.approx(1.2e-6)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_rates_of_memory_are_those_that_its_seconds_come_from(threads):
    limit = memory("scanline.threads", threads=threads)
    numbers = [
        float(number.replace(",", "")) for number in re.findall(r"\d[\d,.]*\d", words.why(limit))
    ]
    mask, mask_rate, others, others_rate = numbers
    seconds = 1e-9 * (mask / mask_rate + others / others_rate) / threads
    assert seconds == pytest.approx(limit.seconds, rel=0.05)  # rates have two digits
    assert ("each of 2 cores" in words.why(limit)) == (threads == 2)


def test_a_number_at_a_time_costs_more_than_in_vector_registers():
    """As many operations at the other price; nothing is known of a row without limits."""
    result = made_up("opencl.pixels", threads=1)
    assert limits.one_at_a_time_s(result, "opencl.pixels") is None  # of an unknown device
    result.machine.devices = device("CPU")
    result.yardstick.prices |= {"multiply_s": 8e-9, "divide_s": 1e-12}
    (side_by_side,) = (
        one.seconds
        for one in limits.of_result(result)["opencl.pixels"].all
        if one.name == "arithmetic"
    )
    alone = limits.one_at_a_time_s(result, "opencl.pixels")
    assert alone == pytest.approx(8 * side_by_side)
    row = result.row("opencl.pixels")
    row.threads = 2
    assert limits.one_at_a_time_s(result, "opencl.pixels") == pytest.approx(alone / 2)


def test_a_byte_is_no_bytes():
    result = made_up()
    result.workload.shape = (1, 1)
    named = {one.name: one for one in limits.of_result(result)["cclass.polygon"].all}
    assert words.why(named["memory"]).startswith("1 byte of the mask")


def test_a_division_has_a_unit_of_its_own():
    result = made_up()
    result.yardstick.prices["divide_s"] = 1e-3
    limit = limits.of_result(result)["cclass.polygon"].largest
    assert limit.seconds == pytest.approx(1e-3 * counts.of(STAR, SHAPE)["divided"])


def test_threads_count_as_far_as_there_are_cores():
    one, two, eight = (
        limits.of_result(made_up("openmp.prange", threads=n))["openmp.prange"] for n in (1, 2, 8)
    )
    assert two.largest.seconds == pytest.approx(one.largest.seconds / 2)
    assert eight.largest.seconds == two.largest.seconds
    assert "on 2 cores" in words.explanation(two)
    assert "cores" not in words.explanation(one)
    idle = limits.of_result(made_up("openmp.prange", threads=2, cores_used=1.04))
    assert "Of its 2 cores, 1.0 were busy." in words.explanation(idle["openmp.prange"])
    busy = limits.of_result(made_up(cores_used=0.5))["cclass.polygon"]
    assert "It had its core for 50 % of the time only" in words.explanation(busy)


def test_words_say_how_far_away_the_limit_is():
    least = limits.of_result(made_up())["cclass.polygon"].largest.seconds
    slower = "or the machine was slower while prices were measured"
    for times, said in ((0.5, slower), (1.1, "runs at its limit"), (3, "branch")):
        found = limits.of_result(made_up(median_s=times * least))["cclass.polygon"]
        assert said in words.explanation(found)
        assert f"It takes {times:.2g}" in words.explanation(found)


@pytest.mark.parametrize(
    ("key", "waking"),
    [
        ("openmp.prange", work.WAKING),
        ("openmp.simd", work.WAKING),
        ("scanline.threads", work.COMING_LATE),
    ],
)
def test_bound_by_calls_threads_have_to_wake_and_a_single_one_has_not(key, waking):
    for threads, said in ((2, waking), (1, words.REST["calls"])):
        result = made_up(key, threads=threads)
        result.yardstick.prices |= {"team_s": 1e-3, "array_call_s": 1e-3}
        found = limits.of_result(result)[key]
        assert found.largest.name == "calls"
        assert f": {said}." in words.explanation(found)


def test_rows_without_a_time_and_unknown_ones_are_left_out():
    assert limits.of_result(made_up(median_s=None)) == {}
    assert limits.of_result(made_up(key="peer.silx")) == {}


@pytest.mark.parametrize("key", ["opencl.pixels", "scanline.opencl"])
def test_a_device_has_limits_where_it_is_the_cpu(key):
    result = made_up(key, threads=2, kernel_s=0.25)
    assert limits.of_result(result) == {}
    result.machine.devices = device("other")
    assert limits.of_result(result) == {}
    result.machine.devices = device("CPU")
    said = words.explanation(limits.of_result(result)[key])
    assert says(said, "device's", "250", "time")


DEVICES = ["opencl.pixels", "scanline.opencl"]
LAUNCH_S = 1e-3


def launched(key, kernel, launch=LAUNCH_S):
    """The limits of a row of ten launches' time, of which so large a part is the kernel's."""
    median_s = 10 * LAUNCH_S
    result = made_up(key, median_s, threads=2, kernel_s=kernel * median_s)
    result.machine.devices = device("CPU")
    for name in work.LAUNCH:
        del result.yardstick.prices[name]
    if launch:
        parts = sum(count["once"] for count in work.LAUNCH.values())
        result.yardstick.prices |= dict.fromkeys(work.LAUNCH, launch / parts)
    return limits.of_result(result)[key]


@pytest.mark.parametrize("key", DEVICES)
def test_a_small_image_on_a_device_is_bound_by_the_launch(key):
    found = launched(key, kernel=0.1)
    assert found.largest.name == "launch"
    assert found.largest.seconds == pytest.approx(LAUNCH_S)
    assert found.binds
    assert words.explanation(found).startswith(
        "Bound by the launch: 1.00 ms at least. It takes 10 times that"
    )
    assert "1 × a copy, an empty kernel and a copy back" in words.why(found.largest)


def test_a_kernel_of_which_nothing_is_counted_is_told_of(monkeypatch):
    bare = dataclasses.replace(registry.get(DEVICES[0]), work=work.Work(launch=work.LAUNCH))
    monkeypatch.setitem(registry.BY_KEY, bare.key, bare)
    found = launched(bare.key, kernel=0.9)
    assert words.explanation(found).split(" By the ")[0].endswith("arithmetic was not counted.")


@pytest.mark.parametrize("key", DEVICES)
def test_what_no_limit_explains_is_not_called_bound(key):
    """Beside a kernel arithmetic does not bind, nor does the launch where the kernel takes long."""
    old = launched(key, kernel=0.1, launch=None)
    assert old.largest.name in ("arithmetic", "memory")
    cheap = launched(key, kernel=0.1, launch=1e-10)
    busy = launched(key, kernel=0.9)
    assert busy.largest.name == "launch"
    for found in (old, cheap, busy):
        assert not found.binds
        assert words.explanation(found).startswith(
            "None of these limits explains its time: the largest, "
        )
        assert "Bound by" not in words.explanation(found)
    assert says(words.explanation(old), "beside", "priced")
    assert says(words.explanation(cheap), "0.100", "least")
    assert says(words.explanation(busy), "Most", "kernel")
    assert launched(key, kernel=0.9, launch=None).binds  # a kernel that computes for long


@pytest.mark.slow
@pytest.mark.parametrize("key", [*DEVICES, "sycl.kernel"])
def test_a_launch_is_priced_where_a_device_is_measured(key, monkeypatch):
    monkeypatch.setattr(prices, "actions", dict)  # only those of a launch
    try:
        registry.get(key).load()
    except contract.Unavailable as unavailable:
        pytest.skip(str(unavailable))
    result = driver.measure(Plan([key], STAR, SHAPE, seconds=0, quick=True))
    assert result.rows[0].status == "ok"
    taken = result.yardstick.prices
    assert taken.keys() == registry.get(key).work.launch.keys()
    assert all(price > 0 for price in taken.values())


def test_an_image_without_pixels_has_no_limits():
    result = made_up()
    result.workload.shape = (0, 17)
    assert limits.of_result(result) == {}


def test_results_of_old_load_and_show_without_limits():
    old = copy.deepcopy(results.load(RESULT)[0])
    old.yardstick.prices = {}
    assert limits.of_result(old) == {}
    assert "python.tuples" in table.markdown(old)
    partial = made_up()
    del partial.yardstick.prices["divide_s"]
    assert limits.of_result(partial) == {}


def test_the_price_of_the_border_is_made_from_two_rows():
    result = made_up("cython.typed", median_s=4.0)
    typed = registry.get("cython.typed")
    assert limits.price_share(typed, result) is None
    assert words.prices_paid(result) == []
    result.rows += made_up("cclass.polygon", median_s=1.0).rows
    assert limits.price_share(typed, result) == 0.75
    (line,) = words.prices_paid(result)
    assert line.startswith("cython.typed: 75 % of its time is the price of a Python call")


def test_prices_are_measured_in_the_run_and_kept_in_its_json(tmp_path):
    result = driver.measure(Plan(["cclass.polygon", "python.tuples"], STAR, SHAPE, seconds=0))
    result_json.save(result, tmp_path / "bench.json")
    (result,) = results.load(tmp_path / "bench.json")
    taken = result.yardstick.prices
    assert taken.keys() == (words.PRICE_OF.keys() - LAUNCHED) | FILLS.keys()
    assert all(price > 0 for price in taken.values())
    found = limits.of_result(result)
    assert found.keys() == {"cclass.polygon", "python.tuples"}
    for one in found.values():
        assert one.distance == one.row.median_s / one.largest.seconds


def test_a_price_is_the_least_of_its_samples(monkeypatch):
    monkeypatch.setattr(prices, "actions", lambda: {"call_s": (None, 1)})
    taken = iter([1.0] * 3 + [9.0] * prices.SAMPLES + [7.0, 5.0] * prices.SAMPLES)
    monkeypatch.setattr(prices, "seconds", lambda action, count: next(taken))
    found = prices.Prices()
    found.sample()
    found.sample()
    assert found.record() == {"call_s": 5.0}


def test_a_disturbed_sample_does_not_say_that_few_are_enough(monkeypatch):
    disturbed = iter([1.0])
    monkeypatch.setattr(prices, "seconds", lambda action, count: next(disturbed, count * 1e-6))
    assert prices.enough(None, 1) == 256


def test_without_the_extension_module_there_are_no_prices(monkeypatch):
    monkeypatch.setitem(sys.modules, "polymask.cost._prices", None)
    monkeypatch.delattr("polymask.cost._prices", raising=False)
    assert prices.actions() == {}
    assert prices.Prices().record() == {}
