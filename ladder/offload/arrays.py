"""Arrays on a device, each bound to an array on the host: copies both ways, and operators."""

import math
import operator
from functools import partialmethod

import numpy as np

from ladder.offload.arguments import of_dtype, storage_order
from ladder.offload.array_kernels import kernels_for


class OffloadArray:
    """An array on a device and its counterpart on the host; at first, the contents are undefined.

    Its operators put element-wise work into the array's stream, and return before it is done.
    Operands have the same shape and dtype; a scalar has the same kind (integer, floating, complex).
    Broadcasting is not supported. Quotients of integers are float64.

    Reading ``a[i]`` or ``a[i:j]`` returns a NumPy copy of the device's elements (or rows, with more
    dimensions), and waits for it.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : data-type, optional
    order : {"C", "F"}, optional
    device : OffloadDevice, optional
        Required without `stream`; its default stream is used.
    stream : OffloadStream, optional

    Attributes
    ----------
    array : numpy.ndarray
        The host's side. Only `update_host` changes it; the copy is done after the stream's `sync`.
    stream : OffloadStream
        The stream of its copies and operators.
    device : OffloadDevice
    shape, dtype, size, ndim :
        Those of ``array``.
    order : {"C", "F"}
        The storage order of both sides.
    base : OffloadArray or None
        The array that `reshape` or `ravel` was called on, which shares its memory.

    Examples
    --------
    >>> a = OffloadArray(3, device=devices[0]).fill(2.0)
    >>> (1.0 / a)[0]
    0.5
    """

    __hash__ = None

    def __init__(self, shape, dtype=float, order="C", *, device=None, stream=None):
        if stream is None and device is None:
            raise ValueError("an OffloadArray needs device=... or stream=...")
        stream = stream or device.default_stream
        if device not in (None, stream.device):
            raise ValueError(f"{stream} is not of {device}")
        self._set(stream, np.empty(shape, dtype, order))

    @classmethod
    def _bound(cls, stream, array, base=None):
        """Return an array that is bound to an array on the host; `base` shares its memory."""
        bound = cls.__new__(cls)
        bound._set(stream, array, base)
        return bound

    def _set(self, stream, array, base=None):
        self.order, self.base = storage_order(array), base
        self.array, self.stream, self.device = array, stream, stream.device
        self.shape, self.dtype = array.shape, array.dtype
        self.size, self.ndim = array.size, array.ndim
        nbytes = max(1, array.nbytes)
        self.pointer = stream.allocate_device_memory(nbytes) if base is None else base.pointer

    def __str__(self):
        return str(self.array)

    def __repr__(self):
        return f"OffloadArray({self.array!r}, {self.stream})"

    def __len__(self):
        return len(self.array)

    def assign_stream(self, stream):
        """Use another stream of the same device for copies and operators from now on."""
        if stream.device != self.device:
            raise ValueError(f"{stream} is not of {self.device}")
        self.stream = stream

    def release(self):
        """Free the device's memory now; a second call does nothing."""
        if not self.pointer.freed:
            self.stream.deallocate_device_memory(self.pointer)

    def update_device(self):
        """Copy the host's array to the device."""
        self._send(self.array)

    def update_host(self):
        """Copy the device's array to the host's, which must be writeable; return this array."""
        if not self.array.flags.writeable:
            raise ValueError("the host's array is read-only")
        if self.size:
            data, nbytes = self.array.ctypes.data, self.array.nbytes
            self.stream.transfer_device2host(self.pointer, data, nbytes, keep=self.array)
        return self

    def fill(self, value):
        """Fill the device's array with a value; return this array."""
        self._fill(0, self.size, value)
        return self

    def zero(self, zero_value=None):
        """Fill the device's array with zeros, or another value for zero; return this array."""
        return self.fill(self.dtype.type(0) if zero_value is None else zero_value)

    def one(self, one_value=None):
        """Fill the device's array with ones, or another value for one; return this array."""
        return self.fill(self.dtype.type(1) if one_value is None else one_value)

    def fillfrom(self, array):
        """Fill the device's array from an array on the host, of the same shape and dtype.

        Returns this array. Its ``.array`` does not change.
        """
        if not isinstance(array, np.ndarray):
            raise TypeError(f"fillfrom takes a numpy.ndarray, not a {type(array).__name__}")
        self._check_same(array)
        self._send(np.asarray(array, order=self.order))
        return self

    def _binary(self, name, other, *, result=None):
        """Compute with an array or a scalar, into a new array or `result`."""
        step = 1
        if isinstance(other, np.ndarray) and other.ndim:
            other = self._like(other)
        elif isinstance(other, OffloadArray):
            self._check_same(other)
        else:
            step, other = 0, of_dtype(other, self.dtype)
        as_float = name == "divide" and self.dtype.kind in "iu"
        dtype = np.dtype(float) if as_float else self.dtype
        if result is None:
            result = self.stream.empty(self.shape, dtype, self.order, update_host=False)
        elif result.dtype != dtype:
            raise TypeError(f"quotients of {self.dtype} are {dtype}: write a = a / b, not a /= b")
        return self._run(name, other, step, result)

    def _in_place(self, name, other):
        return self._binary(name, other, result=self)

    def _reflected(self, name, other):
        return self._like(other)._binary(name, self)

    __add__ = __radd__ = partialmethod(_binary, "add")
    __sub__ = partialmethod(_binary, "subtract")
    __mul__ = __rmul__ = partialmethod(_binary, "multiply")
    __truediv__ = partialmethod(_binary, "divide")
    __pow__ = partialmethod(_binary, "power_of")
    __rsub__ = partialmethod(_reflected, "subtract")
    __rtruediv__ = partialmethod(_reflected, "divide")
    __rpow__ = partialmethod(_reflected, "power_of")
    __iadd__ = partialmethod(_in_place, "add")
    __isub__ = partialmethod(_in_place, "subtract")
    __imul__ = partialmethod(_in_place, "multiply")
    __itruediv__ = partialmethod(_in_place, "divide")
    __array_ufunc__ = None  # makes ndarray + OffloadArray call __radd__

    def __neg__(self):
        return self._unary("negative", self.dtype)

    def __abs__(self):
        dtype = np.float64 if self.dtype.kind == "c" else self.dtype
        return self._unary("absolute", dtype)

    def reverse(self):
        """Return a new array with the elements of one dimension in reverse order."""
        if self.ndim != 1:
            raise ValueError(f"only an array of one dimension can be reversed, not of {self.ndim}")
        return self._unary("reverse", self.dtype)

    def reshape(self, *shape):
        """Return an array of another shape that shares the memory of both sides."""
        shape = shape[0] if len(shape) == 1 else shape
        array = np.asarray(self.array)  # a np.matrix always has two dimensions
        return self._bound(self.stream, array.reshape(shape, order=self.order), self)

    def ravel(self):
        """Return an array of one dimension that shares the memory of both sides."""
        return self.reshape(self.size)

    def __getitem__(self, index):
        rows = index
        if not isinstance(index, slice):
            first = operator.index(index)
            if not -len(self) <= first < len(self):
                raise IndexError(f"index {first} is out of range for length {len(self)}")
            rows = slice(first, first + 1 or None)  # of -1: to the end
        start, stop, row = self._rows(rows)
        values = np.empty((stop - start, *self.shape[1:]), self.dtype, self.order)
        if values.size:
            host, offset = values.ctypes.data, start * row * self.dtype.itemsize
            self.stream.transfer_device2host(self.pointer, host, values.nbytes, offset, keep=values)
            self.stream.sync()
        return values if isinstance(index, slice) else values[0]

    def __iter__(self):
        return iter(self[:])  # one copy, not one per element

    def _rows(self, rows):
        """Return start and stop of a slice, and the number of elements in a row."""
        start, stop, step = rows.indices(len(self))
        if step != 1:
            raise ValueError(f"a slice needs stride 1, not {step}")
        if self.order == "F" and self.ndim > 1 and (start, stop) != (0, len(self)):
            raise ValueError("rows of an array in Fortran order are not contiguous: ravel() it")
        return start, max(start, stop), math.prod(self.shape[1:])

    def __setitem__(self, index, value):
        if not isinstance(index, slice):
            raise ValueError("only a slice can be assigned, as a[i:j] = ...")
        start, stop, row = self._rows(index)
        if not isinstance(value, (np.ndarray, OffloadArray)) or value.ndim == 0:
            self._fill(start * row, stop * row, value)
            return
        self._check_same(value, (stop - start, *self.shape[1:]))
        offset = start * row * self.dtype.itemsize
        if isinstance(value, np.ndarray):
            self._send(value.copy(self.order), offset)
        elif value.size and value.pointer is not self.pointer:  # otherwise nothing would change
            nbytes = value.array.nbytes
            self.stream.transfer_device2device(value.pointer, self.pointer, nbytes, 0, offset)

    def _fill(self, start, stop, value):
        if stop > start:
            kernel = kernels_for(self.device, self.dtype).fill
            self.stream.invoke(kernel, start, stop, self, of_dtype(value, self.dtype))

    def _send(self, array, offset=0):
        """Copy an array on the host to the device, and keep it alive until the copy is done."""
        if array.size:
            data, nbytes = array.ctypes.data, array.nbytes
            self.stream.transfer_host2device(data, self.pointer, nbytes, 0, offset, keep=array)

    def _unary(self, name, dtype):
        result = self.stream.empty(self.shape, dtype, self.order, update_host=False)
        return self._run(name, result)

    def _run(self, name, *operands):
        """Run a kernel for each element, and return its last operand."""
        if self.size:
            kernel = getattr(kernels_for(self.device, self.dtype), name)
            self.stream.invoke(kernel, self.size, self, *operands)
        return operands[-1]

    def _like(self, other):
        """Convert the operand on the left of this array to an array on the device."""
        if isinstance(other, np.ndarray) and other.ndim:
            self._check_same(other)
            return self.stream.bind(other.copy(self.order))
        other = of_dtype(other, self.dtype)
        return self.stream.bcast(other, self.shape, self.dtype, self.order, False)

    def _check_same(self, other, shape=None):
        shape = self.shape if shape is None else shape
        if other.shape != shape:
            raise ValueError(f"shapes have to be the same: {shape} and {other.shape}")
        if other.dtype != self.dtype:
            raise ValueError(f"data types do not match: {self.dtype} and {other.dtype}")
        if isinstance(other, OffloadArray) and self.ndim > 1 and other.order != self.order:
            raise ValueError(f"storage orders have to be the same: {self.order} and {other.order}")


def layout(array):
    """Return the shape, dtype and order of an array on the host or on a device."""
    if not isinstance(array, (np.ndarray, OffloadArray)):
        raise ValueError(f"expected an array on host or device, got a {type(array).__name__}")
    fortran = array.order == "F" if isinstance(array, OffloadArray) else np.isfortran(array)
    return array.shape, array.dtype, "F" if fortran else "C"
