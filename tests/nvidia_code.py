"""Kernels compiled for NVIDIA's GPUs without one, by NVRTC or nvcc, and checks of their PTX."""

import importlib.util
import os
import re
import shutil
import subprocess

import pytest

from polymask.devices import cuda_linking

TOOLKIT = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"])


def assert_exact(ptx):
    """Check that the rule's division rounds as in IEEE 754, and that nothing is fused."""
    assert "div.rn.f64" in ptx
    assert re.search(r"mul(\.rn)?\.f64", ptx)
    assert re.search(r"add(\.rn)?\.f64", ptx)
    assert not re.search(r"\bfma\b|\bmad\.\S*f64|\.ftz|div\.(full|approx)", ptx)


def compile_text(text, cc, folder):
    """Return the PTX of CUDA C++ for a compute capability; skip without a compiler."""
    if importlib.util.find_spec("cuda") and importlib.util.find_spec("cuda.core"):
        return cuda_linking.link([cuda_linking.code_of_text(text, cc)], cc, "ptx").decode()
    nvcc = shutil.which("nvcc", path=TOOLKIT)
    if nvcc is None:
        pytest.skip("neither cuda-core nor nvcc is installed")
    source, ptx = folder / "kernel.cu", folder / "kernel.ptx"
    source.write_text(text)
    options = ["-ptx", "-std=c++17", "--fmad=false", f"-arch={cuda_linking.arch(cc)}"]
    subprocess.run([nvcc, *options, "-o", ptx, source], check=True)
    return ptx.read_text()
