"""The kernel texts of csrc compile for NVIDIA's GPUs: exact, and within their registers."""

import re

import nvidia_code as nvrtc
import pytest
from nvidia_code import assert_exact

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
