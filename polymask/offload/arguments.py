"""What a stream is given, checked: numbers, addresses, pointers and scalars."""

import operator
import sys

import numpy as np

from polymask.offload.pointers import DevicePointer


def scalar(value):
    """Return a scalar as an array without dimensions; what is none is a ValueError."""
    made = np.asarray(int(value) if isinstance(value, bool) else value)
    if made.ndim or made.dtype.kind not in "biufc":
        raise ValueError(f"a kernel takes arrays, scalars and None, not {value!r}")
    return made.copy()


def whole(name, value, least=0):
    """Return a whole number; 8.0 is one, too, as the quotients of older programs were."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    value = operator.index(value)
    if not least <= value <= sys.maxsize:
        raise ValueError(f"{name} must be {least} or more, and what a machine has, got {value}")
    return value


def address(host_ptr):
    """Return an address of the host."""
    if not host_ptr:
        raise ValueError("host_ptr is no address; array.ctypes.data is one")
    return whole("host_ptr", host_ptr, 1)


def pointer(device_ptr):
    """Return a device pointer, or raise a ValueError."""
    if not isinstance(device_ptr, DevicePointer):
        raise ValueError(f"expected what allocate_device_memory returns, got {device_ptr!r}")
    return device_ptr
