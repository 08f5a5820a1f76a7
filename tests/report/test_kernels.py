"""Two rungs whose devices compile the same kernel: how far apart they are, and why."""

import pytest
from cases import says
from mended import made_result, made_row

from polymask import devices
from polymask.cost import limits
from polymask.ladder import registry
from polymask.report import kernels, table
from polymask.report import limits as words

SAME = ("opencl.pixels", "sycl.kernel")
STAR = [(2, 1), (15, 9), (3, 8), (14, 0), (7, 12)]


def measured(pocl_s, intel_s, multiply_s=8e-9):
    """A result of a kernel on two platforms; a number in a vector register takes a nanosecond."""
    rows = [
        made_row(key, 2 * seconds, threads=1, kernel_s=seconds)
        for key, seconds in zip(SAME, (pocl_s, intel_s), strict=True)
    ]
    prices = dict.fromkeys(words.PRICE_OF, 1e-9) | {"byte_s": 1e-12, "fill_call_s": 5e-7}
    prices |= {"multiply_s": multiply_s, "divide_s": 1e-12}
    made = made_result(rows, STAR, (11, 17), memset_fresh_s=2e-6, memset_warm_s=1e-6, prices=prices)
    made.machine.devices = {
        "opencl": devices.Device("PoCL", "3.0", "cpu", "3.0", "CPU", 1),
        "sycl": devices.Device("Intel OpenCL", "3.0", "cpu", "2026", "CPU", 1),
    }
    return made


@pytest.fixture
def alone():
    """Seconds of the kernel's arithmetic, a number at a time."""
    return limits.one_at_a_time_s(measured(1, 1), SAME[0])


def test_rungs_of_a_kernel_name_a_file_of_csrc(root):
    compiled = [rung for rung in registry.RUNGS if rung.kernel]
    assert {rung.key for rung in compiled} >= set(SAME)
    assert all((root / "csrc" / rung.kernel).is_file() for rung in compiled)
    for rung in compiled:
        assert any(f'"{rung.kernel}"' in one.source() for one in registry.chain(rung))


def test_the_faster_one_fills_vector_registers_and_the_other_does_not(alone):
    (note,) = kernels.notes(measured(2 * alone, alone / 5))
    assert note.startswith("csrc/mask.cl takes ")
    assert says(note, "Intel", "OpenCL", "sycl.kernel")
    assert "on PoCL (opencl.pixels)" in note
    assert "10 times as long for the same source" in note
    assert says(note, "OpenCL", "register")
    assert says(note, "PoCL", "sign")


@pytest.mark.parametrize(("pocl", "intel"), [(0.9, 0.2), (5, 2)])
def test_no_reason_is_told_that_the_prices_do_not_show(pocl, intel, alone):
    """Both of them fill vector registers; neither does."""
    (note,) = kernels.notes(measured(pocl * alone, intel * alone))
    assert "vector" not in note
    assert says(note, "compilers", "runtimes")


def test_no_reason_is_told_without_prices(alone):
    result = measured(2 * alone, alone / 5)
    result.yardstick.prices = {}
    (note,) = kernels.notes(result)
    assert "vector" not in note


def test_nothing_is_told_of_kernels_that_are_as_fast_or_on_their_own(alone):
    assert kernels.notes(measured(alone, alone / 1.1)) == []
    one = measured(2 * alone, alone / 5)
    one.rows.pop()
    assert kernels.notes(one) == []
    same = measured(2 * alone, alone / 5)
    same.machine.devices["sycl"] = same.machine.devices["opencl"]
    assert kernels.notes(same) == []


def test_the_table_has_the_note(alone):
    result = measured(2 * alone, alone / 5)
    assert kernels.notes(result)[0] in table.markdown(result)
