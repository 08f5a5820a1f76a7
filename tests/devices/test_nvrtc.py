"""The kernel texts of csrc compile for NVIDIA's GPUs: exact, and within their registers."""

import re

import pytest
from nvidia_code import assert_exact

from benchmarks.gpu import nvrtc
from polymask.common.kernel_text import CSRC, kernel_text

pytestmark = pytest.mark.extra("cuda")
pytest.importorskip("cuda.bindings.nvrtc", reason="the extra cuda is not installed")

MOST_SPILLED = 128  # bytes; tiles.cl has fewer registers, so that more groups run at a time
KERNEL = re.compile(r"^KERNEL void (\w+)\(", re.MULTILINE)
TEXT = """
extern "C" __global__ void product(const double *a, double *b, int n)
{
    for (int row = 0; row < n; row++) {
#pragma unroll 1
        for (int i = 0; i < n; i++)
            b[row] = a[i] * a[row] + a[n + i] / 3;
    }
}
"""
SPILLING = """
extern "C" __global__ void sums(const double *a, double *b)
{
    double s[32];
#pragma unroll
    for (int k = 0; k < 32; k++)
        s[k] = a[k] + threadIdx.x;
    for (int row = 0; row < 1000; row++)
#pragma unroll
        for (int k = 0; k < 32; k++)
            s[k] = s[k] * s[(k + 1) % 32] + a[row];
#pragma unroll
    for (int k = 0; k < 32; k++)
        b[32 * threadIdx.x + k] = s[k];
}
"""


def test_the_texts_of_masks_are_among_them():
    assert {"fractions.cl", "scanline.cl", "tiles.cl"} <= {*nvrtc.texts()}


@pytest.mark.parametrize("which", ["the oldest", "sm_90"])
@pytest.mark.parametrize("name", nvrtc.texts())
def test_a_text_compiles_to_exact_code_that_spills_few_registers(name, which):
    architecture = 90 if which == "sm_90" else nvrtc.architectures()[0]
    text = kernel_text(name)
    compiled = nvrtc.compile_text(text, architecture)
    assert {*compiled.usage} == {*KERNEL.findall(text)}
    assert_exact(compiled.ptx)
    most = MOST_SPILLED if name == "tiles.cl" else 0
    assert {k: usage for k, usage in compiled.usage.items() if usage.spilled > most} == {}
    stores = re.search(r"^    +STORE_(16|BITS)\(", (CSRC / name).read_text(), re.MULTILINE)
    assert ("st.global.v4.u32" in compiled.ptx) == bool(stores)


def test_a_fused_product_is_detected():
    assert_exact(nvrtc.compile_text(TEXT, 90).ptx)
    with pytest.raises(AssertionError):
        assert_exact(nvrtc.compile_text(TEXT, 90, options=()).ptx)


def test_spilled_registers_are_counted():
    assert nvrtc.compile_text(SPILLING, 90, options=()).usage["sums"].spilled == 0
    spilling = nvrtc.compile_text(SPILLING, 90, options=("--maxrregcount=32",)).usage["sums"]
    assert spilling.registers <= 32
    assert spilling.spilled > 0


def test_an_error_of_the_text_is_the_compilers():
    with pytest.raises(ValueError, match=r"wrong.*undefined"):
        nvrtc.compile_text(TEXT.replace("n + i", "wrong"), 90)
