"""The kernels in csrc that are one text for OpenCL and CUDA compile for NVIDIA's GPUs."""

import pytest
from checkouts import ROOT
from nvidia_code import assert_exact, compile_text

from polymask.devices.kernel_text import kernel_text

KERNELS = [file.name for file in ROOT.glob("csrc/*.cl") if '"device.h"' in file.read_text()]


def test_there_are_such_kernels():
    assert "scanline.cl" in KERNELS


@pytest.mark.parametrize("cc", [(7, 5), (8, 0), (9, 0)], ids=str)  # CUDA 13 knows none before 7.5
@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_compiles_to_exact_ptx(name, cc, tmp_path):
    ptx = compile_text(kernel_text(name), cc, tmp_path)
    assert ".target sm_{}{}".format(*cc) in ptx
    assert_exact(ptx)


def test_a_fused_multiply_add_is_detected(tmp_path):
    fused = "\nKERNEL void fused(double *a) { a[0] = fma(a[0], a[1], a[2]); }\n"
    ptx = compile_text(kernel_text("scanline.cl") + fused, (8, 0), tmp_path)
    with pytest.raises(AssertionError):
        assert_exact(ptx)
