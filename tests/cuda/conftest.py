"""The device of the tests of polymask.cuda: a GPU if there is one, and PoCL in any case."""

import cupy_on_pocl
import pytest

from polymask.contract import Unavailable
from polymask.cuda import cupy_library


@pytest.fixture(scope="module", params=["PoCL", "GPU"])
def cupy(request):
    """CuPy, or the stand-in whose device is PoCL."""
    if request.param == "PoCL":
        with cupy_on_pocl.installed("polymask.cuda.cupy_library") as module:
            yield module
        return
    try:
        yield cupy_library.with_device()
    except Unavailable as error:
        pytest.skip(str(error))


@pytest.fixture
def cuda(cupy):
    """The functions, which use that device."""
    import polymask.cuda

    return polymask.cuda
