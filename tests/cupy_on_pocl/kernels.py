"""Kernels of the stand-in: RawModule builds the text for PoCL, and its functions launch kernels."""

import ctypes
import functools
import math
from types import SimpleNamespace

import numpy as np
import pyopencl as cl

from cupy_on_pocl import runtime

THREADS, BLOCKS = 1024, (2**31 - 1, 65535, 65535)  # at most in a block, in a grid's dimensions
ARGUMENTS = "-cl-kernel-arg-info"  # so that OpenCL tells which arguments are addresses
PRIVATE, LOCAL = (getattr(cl.kernel_arg_address_qualifier, name) for name in ("PRIVATE", "LOCAL"))
launches = []


class CompileException(Exception):
    """Like CuPy's own."""


class CUDADriverError(RuntimeError):
    """Like CuPy's own."""


@functools.cache
def device():
    """Return PoCL's CPU, or None."""
    for platform in cl.get_platforms():
        if "PoCL" in platform.version:
            return next(iter(platform.get_devices(cl.device_type.CPU)), None)
    return None


@functools.cache
def queue():
    return cl.CommandQueue(cl.Context([device()]))


class RawModule:
    """A kernel text in words that are OpenCL C here and CUDA C++ under NVRTC."""

    def __init__(self, *, code, options=(), backend="nvrtc"):
        self.code = code
        self.options = [option for option in options if option.startswith(("-I", "-D"))]

    @functools.cached_property
    def module(self):
        """The compiled program."""
        try:
            program = cl.Program(queue().context, self.code)
            return Module(program.build([ARGUMENTS, *self.options]))
        except cl.RuntimeError as error:
            raise CompileException(str(error)) from None

    def compile(self):
        self.module  # noqa: B018, it compiles

    def get_function(self, name):
        return self.module.get_function(name)


class Module:
    """A compiled program; a name that it lacks is an error of the driver's."""

    def __init__(self, program):
        self.program = program

    def get_function(self, name):
        if name not in self.program.kernel_names.split(";"):
            raise CUDADriverError("CUDA_ERROR_NOT_FOUND: named symbol not found")
        return Kernel(self.program, name)


class Kernel:
    """A kernel of a program, which is launched like CuPy's."""

    max_threads_per_block = THREADS

    def __init__(self, program, name):
        self.program, self.name = program, name
        self.max_dynamic_shared_size_bytes = runtime.SHARED_MEMORY

    def __call__(self, grid, block, args, *, shared_mem=0, stream=None):
        grid, block = ((*extent, 1, 1)[:3] for extent in (grid, block))
        self.check(grid, block, shared_mem)
        kernel = cl.Kernel(self.program, self.name)
        if kernel.num_args != len(args):
            raise AssertionError(f"{self.name} has {kernel.num_args} arguments, not {len(args)}")
        for number, value in enumerate(args):
            space = kernel.get_arg_info(number, cl.kernel_arg_info.ADDRESS_QUALIFIER)
            try:
                kernel.set_arg(number, argument(space, value, shared_mem))
            except cl.LogicError as error:
                raise TypeError(f"{self.name}: argument {number}, {value!r}: {error}") from None
        stream = runtime.current.streams[-1] if stream is None else stream
        launches.append(SimpleNamespace(name=self.name, grid=grid, block=block, stream=stream))
        size = [int(blocks * threads) for blocks, threads in zip(grid, block, strict=True)]
        cl.enqueue_nd_range_kernel(queue(), kernel, size, [int(n) for n in block]).wait()
        if not all(memory.intact() for memory in runtime.in_use()):
            raise AssertionError(f"{self.name} wrote outside of an array")

    def check(self, grid, block, shared_mem):
        """Refuse what CUDA refuses."""
        limits = zip((*grid, math.prod(block)), (*BLOCKS, THREADS), strict=True)
        shared = max(runtime.SHARED_MEMORY, self.max_dynamic_shared_size_bytes)
        if any(not 1 <= n <= most for n, most in limits) or shared_mem > shared:
            raise CUDADriverError("CUDA_ERROR_INVALID_VALUE: invalid argument")


def argument(space, value, shared_mem):
    """Return an argument as PyOpenCL takes it; OpenCL refuses scalars of another size."""
    number = isinstance(value, np.generic | int | float)
    if space == LOCAL:  # CUDA has a number here, and ignores it
        return cl.LocalMemory(max(1, shared_mem))
    if space == PRIVATE and isinstance(value, np.ndarray) and value.size == 1:
        return value  # a struct, as CuPy passes it by value
    if not number and (space == PRIVATE or isinstance(value, np.ndarray)):
        raise TypeError(f"a kernel has no such argument here: {value!r}")
    if space == PRIVATE:
        return value if isinstance(value, np.generic) else np.array(value)[()]
    address = int(value) if number else value.data.ptr
    return cl.SVM((ctypes.c_char * 1).from_address(address)) if address else None
