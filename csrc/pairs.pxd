# Arrays and lists as callers pass them most often, read without NumPy's general conversion, which
# takes longer than a small mask.
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.pycapsule cimport PyCapsule_GetPointer

cdef struct ArrayInterface:  # NumPy's PyArrayInterface, to which an array's __array_struct__ points
    int two, dimensions
    char kind
    int itemsize, flags
    Py_ssize_t *shape
    Py_ssize_t *strides
    void *data

cdef enum:
    CONTIGUOUS = 0x1
    READABLE = 0x300  # aligned, and in native byte order
    WRITABLE = 0x700
    LONG = 4096  # pairs; NumPy copies a longer array into huge pages, in less time


# Returns n pairs as 2 n doubles, or None if they are neither a short C-contiguous (n, 2) array of
# float64 nor a list or tuple of lists or tuples of two floats or ints. Compiled code reads the copy,
# because another thread may change the original. `ndarray` and `float64` are NumPy's types.
cdef inline bytes copy_of_pairs(points, ndarray, float64):
    if type(points) is not ndarray:
        is_list = type(points) is list or type(points) is tuple
        return copy_of_list(points, float64) if is_list else None
    capsule = points.__array_struct__
    array = <const ArrayInterface *> PyCapsule_GetPointer(capsule, NULL)
    if (
        array.dimensions == 2 and array.shape[1] == 2 and array.shape[0] < LONG
        and array.kind == c"f" and array.itemsize == 8
        and array.flags & CONTIGUOUS and array.flags & READABLE == READABLE
    ):
        return (<const char *> array.data)[:16 * array.shape[0]]
    return None


cdef inline bytes copy_of_list(points, float64):
    cdef Py_ssize_t size = 2 * len(points), i = 0
    cdef bytes copy = PyBytes_FromStringAndSize(NULL, 8 * size)
    cdef double *numbers = <double *> <char *> copy
    cdef int overflow
    for point in points:
        if type(point) is not tuple and type(point) is not list or len(point) != 2:
            return None
        for number in point:
            if i == size:  # another thread has appended to a list
                return None
            if type(number) is float or type(number) is float64:
                numbers[i] = <double> number
            elif type(number) is int:
                numbers[i] = <double> PyLong_AsLongLongAndOverflow(number, &overflow)
                if overflow:  # NumPy may have a type for it
                    return None
            else:
                return None
            i += 1
    return copy if i == size else None


# Returns whether `out` is an array of a dtype, of one byte, and a shape, with contiguous rows.
cdef inline bint has_form(out, dtype, Py_ssize_t rows, Py_ssize_t row_bytes, ndarray) except -1:
    if type(out) is not ndarray or out.dtype is not dtype:
        return False
    capsule = out.__array_struct__
    array = <const ArrayInterface *> PyCapsule_GetPointer(capsule, NULL)
    return (
        array.dimensions == 2 and array.shape[0] == rows and array.shape[1] == row_bytes
        and array.strides[1] == 1 and array.strides[0] >= row_bytes
        and array.flags & WRITABLE == WRITABLE
    )
