"""Arrays and streams of a GPU: CuPy's, and those of any library that shares them."""

import contextlib
import functools
from types import SimpleNamespace

import numpy as np

from polymask.common.error_text import quote
from polymask.cuda.cupy_library import with_device
from polymask.maps.georeference import AS_IT_IS
from polymask.masks.output import check_form, check_size

ON_CUDA = {2, 13}  # DLPack's types of devices: CUDA, and its managed memory


def is_on_device(array):
    """Return whether an object is an array in a GPU's memory, of whatever library."""
    if isinstance(array, np.ndarray):
        return False
    if hasattr(array, "__cuda_array_interface__"):
        return True
    return hasattr(array, "__dlpack_device__") and array.__dlpack_device__()[0] in ON_CUDA


def as_device_array(array, name):
    """Return an array of the current device as CuPy's, without a copy."""
    cupy = with_device()
    if isinstance(array, cupy.ndarray):
        result = array
    elif hasattr(array, "__cuda_array_interface__"):
        result = cupy.asarray(array)
    else:
        result = cupy.from_dlpack(array)
    current, owner = cupy.cuda.runtime.getDevice(), result.device.id
    if result.nbytes and owner != current:
        raise ValueError(
            f"{name} is on device {owner}, and the current device is {current}: "
            f"call in `with cupy.cuda.Device({owner})`"
        )
    return result


@contextlib.contextmanager
def on(stream):
    """Let CuPy put its work into a stream, of any library, or given by its address."""
    if stream is None:
        yield
        return
    named = SimpleNamespace(__cuda_stream__=functools.partial(tuple, (0, _address(stream))))
    with with_device().cuda.Stream.from_external(named):
        yield


def _address(stream):
    """Return the address of a stream; 0 is CUDA's default stream."""
    if hasattr(stream, "__cuda_stream__"):
        return stream.__cuda_stream__()[1]
    for name in ("cuda_stream", "ptr", "handle"):  # PyTorch, CuPy, Numba
        if hasattr(stream, name):
            stream = getattr(stream, name)
            break
    stream = getattr(stream, "value", stream) or 0
    if isinstance(stream, (bool, float)) or not hasattr(stream, "__index__"):
        raise TypeError(f"stream must be a CUDA stream or its address, got {quote(stream)}")
    if not 0 <= int(stream) < 2**64:
        raise ValueError(f"stream must be the address of a CUDA stream, got {quote(stream)}")
    return int(stream)


def as_out(out):
    """Return `out` as CuPy's array; refuse one that cannot be written to. None remains None."""
    if out is None:
        return None
    if not is_on_device(out):
        raise ValueError(f"out must be an array on the GPU, got {type(out).__name__}")
    if getattr(out, "__cuda_array_interface__", {"data": (0, False)})["data"][1]:
        raise ValueError("out is read-only")
    return as_device_array(out, "out")


def result_array(array, shape, dtype):
    """Return a new array, or the given one; refuse one that cannot hold the result."""
    if array is None:
        check_size(shape, dtype)
        return with_device().empty(shape, dtype)
    check_form(array, shape, dtype)
    if array.data.ptr % array.itemsize:
        raise ValueError("out must be aligned in memory: pass a new array")
    return array


def upright(array, view):
    """Return the array for an image with rows from the north: a new one if `view` turns it."""
    if view.turn == AS_IT_IS:
        return array
    return with_device().empty(array.shape, array.dtype)


def strides_of(array):
    """Return the distances between rows, and between masks if there are several, in elements."""
    strides = [stride // array.itemsize for stride in array.strides]
    row, mask = (*strides, 0, 0)[array.ndim - 2], strides[0] if array.ndim > 2 else 0
    return row, mask
