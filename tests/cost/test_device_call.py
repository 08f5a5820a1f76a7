"""The parts of a call on a GPU, from committed results, and the part that limits it."""

import dataclasses

import pytest
from checkouts import ROOT

from ladder.cost import device_call
from ladder.report import explanations, results

H100 = {1024: "2026-11-26-nvidia-h100.json", 8192: "2026-11-26-nvidia-h100-8192.json"}
ON_GPU = ["opencl.pixels", "numba.gpu", "numba.linked", "offload.bound", "scanline.opencl"]


@pytest.fixture(params=H100, ids=str)
def result(request):
    return results.load(ROOT / "results" / H100[request.param])[0]


@pytest.mark.parametrize("key", ON_GPU)
def test_the_parts_are_the_call_and_the_copy_is_the_largest(result, key):
    parts, row = device_call.parts(result, key), result.row(key)
    assert sum(part.seconds for part in parts) == pytest.approx(row.median_s)
    assert parts[0].name == "copy"
    assert sorted(part.name for part in parts) == ["copy", "kernel", "launch", "pages"]
    assert {part.name: part.seconds for part in parts}["kernel"] == row.kernel_s
    assert "the copy of the mask" in explanations.of_result(result)[key].text


def test_a_measured_call_without_the_copy_replaces_the_price_of_the_launch(result):
    row = result.row("numba.gpu")
    row.left_samples_s = [row.kernel_s + 30e-6] * 5
    parts = {part.name: part for part in device_call.parts(result, "numba.gpu")}
    assert parts["launch"].seconds == pytest.approx(30e-6)
    assert parts["launch"].bill == ()
    assert sum(part.seconds for part in parts.values()) == pytest.approx(row.median_s)


def test_a_slow_kernel_is_the_limit(result):
    row = result.row("opencl.pixels")
    row.kernel_s = 0.9 * row.median_s
    assert device_call.parts(result, row.key)[0].name == "kernel"
    assert "the kernel" in explanations.of_result(result)[row.key].text.split(":")[0]


def test_a_device_that_is_the_cpu_has_limits_instead(result):
    gpu = result.machine.devices["opencl"]
    result.machine.devices["opencl"] = dataclasses.replace(gpu, type="CPU")
    assert device_call.parts(result, "opencl.pixels") == ()


def test_a_launch_without_its_prices_is_unknown(result):
    del result.yardstick.prices["queue_s"]
    assert device_call.parts(result, "opencl.pixels") == ()
    assert device_call.parts(result, "numba.gpu") != ()
