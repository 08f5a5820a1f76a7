"""Two rungs whose devices compile the same kernel: the ratio of their times, and its reason."""

import pytest
from cases import says
from mended import made_result, made_row

from ladder import devices, registry
from ladder.cost import limits
from ladder.report import kernels, table
from ladder.report import limits as limits_report

SAME = ("opencl.pixels", "sycl.kernel")
STAR = [(2, 1), (15, 9), (3, 8), (14, 0), (7, 12)]


def fake_result(pocl_s, intel_s, multiply_s=8e-9):
    """A result of a kernel on two platforms; a number in a vector register takes a nanosecond."""
    rows = [
        made_row(key, 2 * seconds, threads=1, kernel_s=seconds)
        for key, seconds in zip(SAME, (pocl_s, intel_s), strict=True)
    ]
    prices = dict.fromkeys(limits_report.PRICE_OF, 1e-9) | {"byte_s": 1e-12, "fill_call_s": 5e-7}
    prices |= {"multiply_s": multiply_s, "divide_s": 1e-12}
    fake = made_result(rows, STAR, (11, 17), memset_fresh_s=2e-6, memset_warm_s=1e-6, prices=prices)
    fake.machine.devices = {
        "opencl": devices.Device("PoCL", "3.0", "cpu", "3.0", "CPU", 1),
        "sycl": devices.Device("Intel OpenCL", "3.0", "cpu", "2026", "CPU", 1),
    }
    return fake


@pytest.fixture
def scalar_s():
    """Seconds of the kernel's arithmetic, a number at a time."""
    return limits.one_at_a_time_s(fake_result(1, 1), SAME[0])


def test_rungs_of_a_kernel_name_a_file_of_csrc(root):
    rungs = [rung for rung in registry.RUNGS if rung.kernel]
    assert {rung.key for rung in rungs} >= set(SAME)
    assert all((root / "csrc" / rung.kernel).is_file() for rung in rungs)
    for rung in rungs:
        assert any(f'"{rung.kernel}"' in link.source() for link in registry.chain(rung))


def test_the_faster_one_fills_vector_registers_and_the_other_does_not(scalar_s):
    (note,) = kernels.notes(fake_result(2 * scalar_s, scalar_s / 5))
    assert note.startswith("csrc/mask.cl takes ")
    assert says(note, "Intel", "OpenCL", "sycl.kernel")
    assert "on PoCL (opencl.pixels)" in note
    assert "10 times as long for the same source" in note
    assert says(note, "OpenCL", "register")
    assert says(note, "PoCL", "sign")


@pytest.mark.parametrize(("pocl", "intel"), [(0.9, 0.2), (5, 2)])
def test_no_reason_is_given_that_the_prices_do_not_show(pocl, intel, scalar_s):
    """Both of them fill vector registers, or neither does."""
    (note,) = kernels.notes(fake_result(pocl * scalar_s, intel * scalar_s))
    assert "vector" not in note
    assert says(note, "compilers", "runtimes")


def test_no_reason_is_given_without_prices(scalar_s):
    result = fake_result(2 * scalar_s, scalar_s / 5)
    result.yardstick.prices = {}
    (note,) = kernels.notes(result)
    assert "vector" not in note


def test_kernels_that_are_as_fast_or_alone_have_no_note(scalar_s):
    assert kernels.notes(fake_result(scalar_s, scalar_s / 1.1)) == []
    single = fake_result(2 * scalar_s, scalar_s / 5)
    single.rows.pop()
    assert kernels.notes(single) == []
    same = fake_result(2 * scalar_s, scalar_s / 5)
    same.machine.devices["sycl"] = same.machine.devices["opencl"]
    assert kernels.notes(same) == []


def test_the_table_has_the_note(scalar_s):
    result = fake_result(2 * scalar_s, scalar_s / 5)
    assert kernels.notes(result)[0] in table.markdown(result)
