"""What takes the place of the package cupy: arrays, functions, and `cuda`.

Functions and methods are NumPy's; add a name to FUNCTIONS if CuPy has it, which a test looks up.
`launches` records the kernels, with their grid, block and stream.
"""

import functools
from types import SimpleNamespace

import numpy as np

from cupy_on_pocl import kernels, runtime

RawModule, launches = kernels.RawModule, kernels.launches
get_default_memory_pool = runtime.Pool
cuda = SimpleNamespace(
    Device=runtime.Device,
    Event=runtime.Event,
    ExternalStream=runtime.ExternalStream,
    MemoryPointer=runtime.MemoryPointer,
    Stream=runtime.Stream,
    UnownedMemory=runtime.UnownedMemory,
    alloc=runtime.alloc,
    alloc_pinned_memory=runtime.alloc_pinned_memory,
    compiler=SimpleNamespace(CompileException=kernels.CompileException),
    get_current_stream=lambda: runtime.current.streams[-1],
    get_elapsed_time=lambda start, end: 1e3 * (end.time - start.time),
    memory=runtime,
    runtime=runtime.runtime,
)

CREATING = "arange full ones zeros"
FUNCTIONS = (
    "abs ascontiguousarray concatenate cumsum diff flatnonzero lexsort minimum stack sum where"
)
TYPES = "bool_ dtype float32 float64 int32 int64 nan uint8"
OPERATORS = "add sub mul truediv floordiv mod pow lshift rshift and or xor"
OTHERS = "eq ne lt le gt ge neg pos abs invert int float bool index len"


def __getattr__(name):
    if name in TYPES.split():
        return getattr(np, name)
    if name in f"{CREATING} {FUNCTIONS}".split():
        return on_device(getattr(np, name))
    raise AttributeError(f"the stand-in for CuPy has no {name}: add it to FUNCTIONS if CuPy has it")


class ndarray:  # noqa: N801, CuPy's name
    """An array whose memory is that of `host`, an array of NumPy's."""

    __array_ufunc__ = None  # operators of NumPy's arrays are left to this class
    __hash__ = None

    def __init__(self, shape, dtype=float, memptr=None, strides=None, order="C"):
        self.host = np.empty(shape, dtype, order)
        if self.host.nbytes:
            memptr = memptr or runtime.alloc(self.host.nbytes)
            self.host = runtime.at(
                memptr, {
                    "data": (memptr.ptr, False),
                    "shape": self.host.shape,
                    "strides": strides or self.host.strides,
                    "typestr": self.host.dtype.str,
                },
            )  # fmt: skip

    def __getattr__(self, name):
        if name.startswith("__") or name in ("ctypes", "host"):
            raise AttributeError(name)
        value = getattr(self.host, name)
        if isinstance(value, type(self.host.sum)):
            return on_device(value, is_method=True)
        return to_device(value)

    def __array__(self, *_, **__):
        raise TypeError("an array on the device is copied by get(), not by a conversion")

    def __getitem__(self, key):
        key = to_host(key if isinstance(key, tuple) else (key,))
        dots = () if any(part is Ellipsis for part in key) else (Ellipsis,)
        return view(self.host[key + dots])  # with dots a single element is a view, too

    def __setitem__(self, key, value):
        self.host[to_host(key)] = to_host(value)

    def __iter__(self):
        return map(self.__getitem__, range(len(self)))

    def __repr__(self):
        return f"on the device: {self.host!r}"

    def __dlpack__(self, *, stream=None, **options):
        return self.host.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.host.__dlpack_device__()

    @property
    def __cuda_array_interface__(self):
        interface = self.host.__array_interface__
        data = self.data.ptr, not self.host.flags.writeable
        stream = cuda.get_current_stream().ptr or 1  # the default stream is 1 here
        return {**interface, "data": data, "version": 3, "stream": stream}

    @property
    def data(self):
        ptr = self.host.ctypes.data if self.host.nbytes else 0
        return runtime.MemoryPointer(runtime.UnownedMemory(ptr, self.host.nbytes, self), 0)

    @property
    def device(self):
        return runtime.Device(max(0, runtime.attributes(self.data.ptr).device))

    def get(self, stream=None, order="C", out=None, blocking=True):
        out = np.empty(self.host.shape, self.host.dtype, order) if out is None else out
        out[...] = self.host
        return out

    def set(self, arr, stream=None):
        self.host[...] = arr


def operation(name):
    """Return a special method that delegates to NumPy's."""
    function = getattr(np.ndarray, f"__{name}__")

    def call(self, *others):
        result = function(self.host, *map(to_host, others))
        return self if result is self.host else to_device(result)

    return call


for _name in [f"{kind}{name}" for name in OPERATORS.split() for kind in ("", "i", "r")]:
    setattr(ndarray, f"__{_name}__", operation(_name))
for _name in OTHERS.split():
    setattr(ndarray, f"__{_name}__", operation(_name))


def to_host(value):
    """Return the array of NumPy's behind each of the stand-in's; refuse all others."""
    if isinstance(value, ndarray):
        return value.host
    if isinstance(value, np.ndarray):
        raise TypeError("an array of NumPy's is not on the device: call asarray first")
    return type(value)(map(to_host, value)) if type(value) in (list, tuple) else value


def to_device(value):
    """Convert the result of a function of NumPy's: its scalars are arrays of CuPy's, too."""
    if isinstance(value, np.ndarray | np.generic):
        return view(np.asarray(value))
    return type(value)(map(to_device, value)) if type(value) in (list, tuple) else value


def view(host):
    """Return an array in the memory of `host`, or its copy if `host` is a function's result."""
    array = object.__new__(ndarray)
    array.host = host
    if host.flags.owndata:
        order = "C" if host.flags.c_contiguous else "F"
        array.host = ndarray(host.shape, host.dtype, order=order).host
        array.host[...] = host
    return array


def on_device(function, *, is_method=False):
    """Return a function of NumPy's, or a method of its array, for arrays of the stand-in's."""

    @functools.wraps(function)
    def call(*args, **options):
        takes_array = args and not is_method and function.__name__ not in CREATING.split()
        first = args[0] if takes_array else None
        if isinstance(first, list | tuple) and not any(isinstance(a, ndarray) for a in first):
            raise TypeError(f"{function.__name__} takes arrays, not a {type(first).__name__}")
        result = function(*map(to_host, args), **{k: to_host(v) for k, v in options.items()})
        return to_device(result) if options.get("out") is None else options["out"]

    return call


def empty(shape, dtype=float, order="C"):
    return ndarray(shape, dtype, order=order)


def empty_like(a, dtype=None):
    return ndarray(a.shape, dtype or a.dtype)


def asarray(a, dtype=None, order=None, *, copy=None, blocking=False):
    if isinstance(a, ndarray):
        host = a.host
    elif (interface := getattr(a, "__cuda_array_interface__", None)) is not None:
        host = runtime.at(a, interface)
    else:
        host, copy = a, True
    fresh = np.array(host, dtype, order=order or "K", copy=copy)
    return a if isinstance(a, ndarray) and fresh is host else view(fresh)


def array(a, dtype=None, copy=True, order="K"):
    return asarray(a, dtype, order, copy=copy or None)


def from_dlpack(array, *, device=None, copy=None):
    return view(np.from_dlpack(array, copy=copy))


def asnumpy(a, stream=None, order="C", out=None, *, blocking=True):
    return a.get(stream, order, out) if isinstance(a, ndarray) else np.asarray(a, order=order)
