"""Checks of a stream's arguments: numbers, addresses, pointers and scalars."""

import operator
import sys

import numpy as np

from ladder.offload.handles import DevicePointer

KINDS = {"u": 0, "i": 0, "f": 1, "c": 2}  # of numbers: integer, floating, complex


def storage_order(array, action="bound"):
    """Return the order of a host array, "C" or "F"; raise a ValueError if it cannot be bound."""
    if not isinstance(array, np.ndarray):
        raise ValueError(f"only a numpy.ndarray can be {action}, not a {type(array).__name__}")
    if not array.flags.forc:
        raise ValueError("could not detect storage order: the array is not contiguous")
    if array.dtype.hasobject:
        raise ValueError("an array of Python objects cannot go to a device")
    return "C" if array.flags.c_contiguous else "F"


def scalar(value):
    """Convert a scalar to an array without dimensions, or raise a ValueError."""
    array = np.asarray(int(value) if isinstance(value, bool) else value)
    if array.ndim or array.dtype.kind not in "biufc":
        raise ValueError(f"a kernel takes arrays, scalars and None, not {value!r}")
    return array.copy()


def of_dtype(value, dtype, wider=False):
    """Convert a scalar to a dtype of the same kind (integer, floating, complex).

    If `wider`, the scalar may also be of a narrower kind: floating accepts 7, integer never 7.5.
    """
    array, kind = np.asarray(value), KINDS.get(dtype.kind, -1)
    scalar_kind = KINDS.get(array.dtype.kind, sys.maxsize)
    # Python's numbers have no size: 1 fits int32, 0.5 fits float32
    python = isinstance(value, (int, float, complex)) and not isinstance(value, (bool, np.generic))
    fits = (python and scalar_kind == kind) or (wider and scalar_kind <= kind)
    if array.ndim or not (fits or array.dtype == dtype):
        raise ValueError(f"data types do not match: {dtype} and {value!r}")
    try:
        return dtype.type(value)
    except OverflowError:
        raise ValueError(f"{value} is out of the range of {dtype}") from None


def whole(name, value, minimum=0):
    """Convert a value to an integer; 8.0 is accepted, too, as older programs pass quotients."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    value = operator.index(value)
    if not minimum <= value <= sys.maxsize:
        raise ValueError(f"{name} must be {minimum} or more, and fit 64 bits, got {value}")
    return value


def address(host_ptr):
    """Return an address on the host, or raise a ValueError."""
    if isinstance(host_ptr, np.ndarray) or not host_ptr:
        raise ValueError("host_ptr is not an address; use one such as array.ctypes.data")
    return whole("host_ptr", host_ptr, 1)


def pointer(device_ptr):
    """Return a device pointer, or raise a ValueError."""
    if not isinstance(device_ptr, DevicePointer):
        raise ValueError(f"expected a pointer from allocate_device_memory, got {device_ptr!r}")
    return device_ptr
