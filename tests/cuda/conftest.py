"""The device of the tests of polymask.cuda; without a GPU, the tests that need one are skipped.

tests/sanitize/test_cuda_on_cpu.py computes with the same kernels on the CPU.
"""

import pytest

from polymask.contract import Unavailable
from polymask.cuda import cupy_library


@pytest.fixture
def cupy():
    """CuPy, with a GPU."""
    try:
        return cupy_library.with_device()
    except Unavailable as error:
        pytest.skip(str(error))


@pytest.fixture
def cuda(cupy):
    """The functions, which use that device."""
    import polymask.cuda

    return polymask.cuda
