"""Arrays on a device, each bound to an array on the host: copies both ways, and operators."""

import math
from functools import partialmethod

import numpy as np

from polymask.offload.arguments import of_dtype, storage_order
from polymask.offload.engines import source
from polymask.offload.library import OffloadLibrary

KERNELS = source.KERNELS / "array.c"
# dtype to two macros of csrc/offload/array.c: ELEMENT, and the kind of number
TYPES = {
    np.dtype(np.uint8): ("uint8_t", "INTEGER"),
    np.dtype(np.int32): ("int32_t", "INTEGER"),
    np.dtype(np.int64): ("int64_t", "INTEGER"),
    np.dtype(np.uint64): ("uint64_t", "INTEGER"),
    np.dtype(np.float32): ("float", "FLOATING"),
    np.dtype(np.float64): ("double", "FLOATING"),
    np.dtype(np.complex128): ("complex128", "COMPLEX"),
}


class OffloadArray:
    """An array on a device and its counterpart on the host, created by a stream.

    Its operators put element-wise work into the array's stream, and return before it is done.
    Operands have the same shape and dtype; a scalar has the same kind (integer, floating, complex).
    Broadcasting is not supported.

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
    """

    __hash__ = None

    def __init__(self, stream, array, pointer=None):
        self.order = storage_order(array)
        self.array, self.stream, self.device = array, stream, stream.device
        self.shape, self.dtype = array.shape, array.dtype
        self.size, self.ndim = array.size, array.ndim
        self.pointer = pointer or stream.allocate_device_memory(max(1, array.nbytes))

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

    def zero(self):
        """Fill the device's array with zeros; return this array."""
        return self.fill(self.dtype.type(0))

    def one(self):
        """Fill the device's array with ones; return this array."""
        return self.fill(self.dtype.type(1))

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
        if result is None:
            result = self.stream.empty(self.shape, self.dtype, self.order, update_host=False)
        return self._run(name, other, step, result)

    def _in_place(self, name, other):
        return self._binary(name, other, result=self)

    __add__ = __radd__ = partialmethod(_binary, "add")
    __sub__ = partialmethod(_binary, "subtract")
    __mul__ = __rmul__ = partialmethod(_binary, "multiply")
    __pow__ = partialmethod(_binary, "power_of")
    __iadd__ = partialmethod(_in_place, "add")
    __isub__ = partialmethod(_in_place, "subtract")
    __imul__ = partialmethod(_in_place, "multiply")
    __array_ufunc__ = None  # makes ndarray + OffloadArray call __radd__

    def __rsub__(self, other):
        return self._like(other) - self

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
        return OffloadArray(self.stream, array.reshape(shape, order=self.order), self.pointer)

    def ravel(self):
        """Return an array of one dimension that shares the memory of both sides."""
        return self.reshape(self.size)

    def __setitem__(self, index, value):
        if not isinstance(index, slice):
            raise ValueError("only a slice can be assigned, as a[i:j] = ...")
        start, stop, step = index.indices(len(self))
        if step != 1:
            raise ValueError(f"a slice is assigned with stride 1, not {step}")
        if self.order == "F" and self.ndim > 1 and (start, stop) != (0, len(self)):
            raise ValueError("rows of an array in Fortran order are not contiguous: ravel() it")
        row = math.prod(self.shape[1:])
        stop = max(start, stop)
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
            kernel = self._kernels().fill
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
            self.stream.invoke(getattr(self._kernels(), name), self.size, self, *operands)
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

    def _kernels(self):
        """Return the library for the dtype, compiled on first use."""
        libraries = self.device._array_kernels
        if self.dtype not in libraries:
            if self.dtype not in TYPES:
                names = ", ".join(map(str, TYPES))
                raise ValueError(f"cannot compute with {self.dtype}, only copy it; use {names}")
            name, kind = TYPES[self.dtype]
            libraries[self.dtype] = OffloadLibrary(KERNELS, self.device, {"ELEMENT": name, kind: 1})
        return libraries[self.dtype]


def layout(array):
    """Return the shape, dtype and order of an array on the host or on a device."""
    if not isinstance(array, (np.ndarray, OffloadArray)):
        raise ValueError(f"expected an array on host or device, got a {type(array).__name__}")
    fortran = array.order == "F" if isinstance(array, OffloadArray) else np.isfortran(array)
    return array.shape, array.dtype, "F" if fortran else "C"
