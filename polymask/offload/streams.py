"""A stream: a queue of copies and kernels that a device executes in order."""

import contextlib
import itertools
import os
import threading
import weakref
from collections import deque

import numpy as np

from polymask.common.errors import OffloadError
from polymask.offload.arguments import address, of_dtype, pointer, scalar, storage_order, whole
from polymask.offload.arrays import OffloadArray, like
from polymask.offload.handles import DevicePointer, OffloadEvent
from polymask.offload.library import Kernel
from polymask.offload.tracing import low_level

NUMBERS = itertools.count()


class OffloadStream:
    """A queue in order, created by `OffloadDevice.create_stream`.

    All methods except `sync`, `translate_device_pointer`, and `invoke` with plain arrays return
    before the work is done. Arrays and memory stay alive until copies and kernels have used them.

    Bad arguments raise a `ValueError`. Freed memory, memory or a kernel of another device, and a
    stream of the parent after a fork raise an `OffloadError`. Errors of the work itself raise an
    `OffloadError` in `sync`, and the stream stays usable.
    """

    def __init__(self, device):
        self.device, self.stream_id = device, next(NUMBERS)
        self._queue, self._process = device.engine.queue(), os.getpid()
        self._kept, self._lock = deque(), threading.Lock()
        self.log = None  # a list receives (name, ticket) of each command
        weakref.finalize(self, finish, self._queue, self._process)  # or before Python's end

    def get_device(self):
        """Return the device that the stream belongs to."""
        return self.device

    def __repr__(self):
        return f"OffloadStream({self.stream_id}, {self.device})"

    def __str__(self):
        return f"stream {self.stream_id} of {self.device}"

    def _put(self, name, command, *arguments, kept):
        """Put a command into the queue, and keep the objects that it uses until it is done."""
        self._check()
        ticket = command(*arguments)
        if self.log is not None:
            self.log.append((name, ticket))
        self._let_go((ticket, kept))

    def _let_go(self, *more):
        with self._lock:
            self._kept.extend(more)
            while self._kept and self._kept[0][0].done():
                self._kept.popleft()

    def _check(self):
        """Raise an error in a forked process, which lacks the stream's threads."""
        if os.getpid() != self._process:
            raise OffloadError(
                "this process was forked from one that made the stream, and has none of its "
                'threads: start processes by "spawn"'
            )

    @low_level(1)
    def sync(self):
        """Wait until all work is done; raise the first error since the last call."""
        self._check()
        try:
            self._queue.sync()
        finally:
            self._let_go()

    @low_level(1)
    def record(self):
        """Return an `OffloadEvent` for the commands now in the stream."""
        self._check()
        return OffloadEvent(self, self._queue.mark())

    @low_level(1)
    def wait(self, event):
        """Let later commands wait for an event, of another stream say."""
        if event.stream.device == self.device:
            self._put("wait", self._queue.wait, event.ticket, kept=event)
        else:  # a queue cannot wait for another device's event
            event.wait()

    def invoke(self, kernel, *args, grid=None, block=None):
        """Run a kernel of a library on the stream's device.

        Parameters
        ----------
        kernel : Kernel
            An attribute of an `OffloadLibrary` of this device.
        *args : OffloadArray, DevicePointer, numpy.ndarray, scalar or None
            The targets of its pointers: an offload array's memory; a copy of a plain array, which
            is waited for, and copied back unless the array is read-only; a copy of a scalar
            (Python's own as int64, float64, complex128); None for a null pointer.
        grid, block : tuple of int, optional
            The number of blocks, and of work items in each, for a device with blocks.
        """
        if not isinstance(kernel, Kernel):
            raise ValueError(f"a kernel is an attribute of a library, not {kernel!r}")
        if kernel.device != self.device:
            raise OffloadError(f"{kernel.name} was loaded for {kernel.device}, not {self.device}")
        self._check()
        plain = {id(arg): arg for arg in args if isinstance(arg, np.ndarray)}
        plain = {key: self.bind(array) for key, array in plain.items()}
        memories = [self._memory(plain.get(id(arg), arg)) for arg in args]
        self._launch(kernel, args, memories, grid, block)
        for bound in plain.values():
            if bound.array.flags.writeable:
                bound.update_host()
        if plain:
            self.sync()

    invoke_kernel = invoke

    def _memory(self, arg):
        """Return the engine's memory of an argument, or a snapshot of a number."""
        if arg is None:
            return None
        if isinstance(arg, OffloadArray):
            arg = arg.pointer
        if isinstance(arg, DevicePointer):
            return arg.memory_for(self.device)
        return self.device.engine.snapshot(scalar(arg))

    @low_level(1, "invoke", but={"memories"})
    def _launch(self, kernel, args, memories, grid, block):
        command = self._queue.call, kernel.pointer, memories, grid, block
        self._put("kernel", *command, kept=(kernel, memories))

    def bind(self, array, update_device=True):
        """Return an `OffloadArray` of the device, bound to an array of the host.

        Parameters
        ----------
        array : numpy.ndarray
            Contiguous, in C or Fortran order. It is not copied, and available as ``.array``.
        update_device : bool, optional
            Copy its contents to the device; otherwise the device's are undefined.
        """
        bound = OffloadArray(self, array)
        if update_device:
            bound.update_device()
        return bound

    def copy(self, array, update_device=True):
        """Bind a copy of the host's array; see `bind`."""
        storage_order(array, "copied")
        return self.bind(array.copy(order="K"), update_device)

    def empty(self, shape, dtype=float, order="C", update_host=True):
        """Return an `OffloadArray` whose contents are undefined.

        Parameters
        ----------
        shape : int or tuple of int
        dtype : data-type, optional
        order : {"C", "F"}, optional
        update_host : bool, optional
            Copy the contents to the host's array as well.
        """
        array = OffloadArray(self, np.empty(shape, dtype, order))
        return array.update_host() if update_host else array

    def bcast(self, value, shape, dtype=float, order="C", update_host=True):
        """Return an array as from `empty`, filled with a value of its kind, or a narrower one."""
        array = self.empty(shape, dtype, order, update_host=False)
        array.fill(of_dtype(value, array.dtype, wider=True))
        return array.update_host() if update_host else array

    def zeros(self, shape, dtype=float, order="C", update_host=True):
        """Return an array as from `empty`, filled with zeros."""
        return self.bcast(0, shape, dtype, order, update_host)

    def ones(self, shape, dtype=float, order="C", update_host=True):
        """Return an array as from `empty`, filled with ones."""
        return self.bcast(1, shape, dtype, order, update_host)

    def empty_like(self, other, update_host=True):
        """Call `empty` with the shape, dtype and order of an array of host or device."""
        return self.empty(*like(other), update_host)

    def bcast_like(self, value, other, update_host=True):
        """Call `bcast` with the shape, dtype and order of an array of host or device."""
        return self.bcast(value, *like(other), update_host)

    def zeros_like(self, other, update_host=True):
        """Call `zeros` with the shape, dtype and order of an array of host or device."""
        return self.bcast_like(0, other, update_host)

    def ones_like(self, other, update_host=True):
        """Call `ones` with the shape, dtype and order of an array of host or device."""
        return self.bcast_like(1, other, update_host)

    @low_level(2)
    def allocate_device_memory(self, nbytes, alignment=64, sticky=False):
        """Allocate memory of the device, and return a `DevicePointer`.

        Parameters
        ----------
        nbytes : int
            The number of bytes, at least one.
        alignment : int, optional
            Divisor of its address, a power of two.
        sticky : bool, optional
            Keep it until `deallocate_device_memory`; else it is freed with the returned object.
        """
        nbytes, alignment = whole("nbytes", nbytes, 1), whole("alignment", alignment, 1)
        if alignment & (alignment - 1):
            raise ValueError(f"alignment must be a power of two, got {alignment}")
        self._check()
        memory = self.device.engine.allocate(nbytes, alignment)
        return DevicePointer(self.device, memory, nbytes, sticky)

    @low_level(2)
    def deallocate_device_memory(self, device_ptr):
        """Free memory of the device, once the commands that use it are done."""
        pointer(device_ptr).free()

    @low_level(1, but={"keep"})
    def transfer_host2device(
        self, host_ptr, device_ptr, nbytes, offset_host=0, offset_device=0, keep=None
    ):
        """Copy bytes from an address of the host to memory of the device.

        Parameters
        ----------
        host_ptr : int
            An address, as ``array.ctypes.data``. The memory must live until the copy is done.
        device_ptr : DevicePointer
        nbytes, offset_host, offset_device : int
            The number of bytes, and the bytes to skip at the start of either side.
        keep : object, optional
            An object to keep alive until the copy is done, such as the array.
        """
        memory, offset, nbytes = self._reach(device_ptr, nbytes, offset_device, "offset_device")
        places = address(host_ptr), memory, nbytes, whole("offset_host", offset_host), offset
        self._put("to_device", self._queue.copy_in, *places, kept=(memory, keep))

    @low_level(1, but={"keep"})
    def transfer_device2host(
        self, device_ptr, host_ptr, nbytes, offset_device=0, offset_host=0, keep=None
    ):
        """Copy bytes from the device to an address of the host, as `transfer_host2device` does."""
        memory, offset, nbytes = self._reach(device_ptr, nbytes, offset_device, "offset_device")
        places = memory, address(host_ptr), nbytes, offset, whole("offset_host", offset_host)
        self._put("to_host", self._queue.copy_out, *places, kept=(memory, keep))

    @low_level(1)
    def transfer_device2device(
        self, device_ptr_src, device_ptr_dst, nbytes, offset_device_src=0, offset_device_dst=0
    ):
        """Copy bytes within the device, between places that do not overlap."""
        source, start, nbytes = self._reach(
            device_ptr_src, nbytes, offset_device_src, "offset_device_src"
        )
        destination, to, _ = self._reach(
            device_ptr_dst, nbytes, offset_device_dst, "offset_device_dst"
        )
        if source is destination and abs(start - to) < nbytes:
            raise ValueError(f"{nbytes} bytes from {start} on and from {to} on overlap")
        places = source, destination, nbytes, start, to
        self._put("on_device", self._queue.copy, *places, kept=(source, destination))

    def _reach(self, device_ptr, nbytes, offset, name):
        """Return a pointer's memory, the offset and the number of bytes, all checked."""
        memory = pointer(device_ptr).memory_for(self.device)
        nbytes, offset = whole("nbytes", nbytes, 1), whole(name, offset)
        if offset + nbytes > device_ptr.nbytes:
            raise ValueError(
                f"{nbytes} bytes from {name} {offset} on reach beyond the {device_ptr.nbytes} "
                "bytes that were allocated"
            )
        return memory, offset, nbytes

    def translate_device_pointer(self, device_ptr):
        """Return the address of memory on the device (0 for None), after a `sync`.

        OpenCL has no addresses of memory: there it is the handle of the buffer.
        """
        if device_ptr is None:
            return 0
        memory = pointer(device_ptr).memory_for(self.device)
        self.sync()
        return self.device.engine.address(memory)


def finish(queue, process):
    """Finish the commands in flight, except in a forked process, which did not start them."""
    if process == os.getpid():
        with contextlib.suppress(OffloadError):  # no caller is left to handle it
            queue.sync()
