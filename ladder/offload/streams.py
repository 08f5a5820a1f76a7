"""A stream: a queue of copies and kernels that a device executes in order."""

import contextlib
import itertools
import os
import threading
import weakref
from collections import deque

import numpy as np

from ladder.offload.arguments import address, of_dtype, pointer, scalar, storage_order, whole
from ladder.offload.arrays import OffloadArray, layout
from ladder.offload.handles import DevicePointer, OffloadEvent
from ladder.offload.library import Kernel
from ladder.offload.tracing import low_level
from polymask.common.errors import OffloadError

NUMBERS = itertools.count()


class OffloadStream:
    """A queue whose commands run in order, created by `OffloadDevice.create_stream`.

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
        self.log = None  # a dict receives (name, ticket) of each command
        weakref.finalize(self, finish, self._queue, self._process)  # at Python's exit, too

    def __repr__(self):
        return f"OffloadStream({self.stream_id}, {self.device})"

    def __str__(self):
        return f"stream {self.stream_id} of {self.device}"

    def _put(self, name, command, *arguments, kept):
        """Put a command into the queue, and keep the `kept` objects until it is done."""
        self._check()
        ticket = command(*arguments)
        if self.log is not None:
            self.log[len(self.log)] = name, ticket
        self._release((ticket, kept))

    def _release(self, *entries):  # adds entries, and removes those of finished commands
        with self._lock:
            self._kept.extend(entries)
            while self._kept and self._kept[0][0].done():
                self._kept.popleft()

    def _check(self):
        """Raise an error in a forked process, which lacks the stream's threads."""
        if os.getpid() != self._process:
            raise OffloadError(
                "the stream belongs to the parent of this forked process, which lacks its threads: "
                'start processes with "spawn"'
            )

    @low_level()
    def sync(self):
        """Wait until all work is done; raise the first error since the last call."""
        self._check()
        try:
            self._queue.sync()
        finally:
            self._release()

    @low_level()
    def record(self):
        """Return an `OffloadEvent` for the commands that are now in the stream."""
        self._check()
        return OffloadEvent(self, self._queue.mark())

    @low_level()
    def wait(self, event):
        """Let later commands wait for an event, which may be another stream's."""
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
            The targets of the kernel's pointers: an offload array's memory; a copy of a plain
            array, which is copied back before the call returns, unless read-only; a copy of a
            scalar (Python's numbers as int64, float64, complex128); None for a null pointer.
            A wrong number of them is a `ValueError` with OpenCL; the host takes up to 32.
        grid, block : tuple of int, optional
            The number of blocks, and of work items per block, for a device with blocks.
        """
        if not isinstance(kernel, Kernel):
            raise ValueError(f"a kernel is an attribute of a library, not {kernel!r}")
        if kernel.device != self.device:
            raise OffloadError(f"{kernel.name} was loaded for {kernel.device}, not {self.device}")
        self._check()
        arrays = {id(arg): arg for arg in args if isinstance(arg, np.ndarray)}
        copies = {key: self.bind(array) for key, array in arrays.items()}
        memories = [self._memory(copies.get(id(arg), arg)) for arg in args]
        self._launch(kernel, args, memories, grid, block)
        for copy in copies.values():
            if copy.array.flags.writeable:
                copy.update_host()
        if copies:
            self.sync()

    def _memory(self, arg):
        """Return the engine's memory for an argument; for a number, a snapshot."""
        if arg is None:
            return None
        if isinstance(arg, OffloadArray):
            arg = arg.pointer
        if isinstance(arg, DevicePointer):
            return arg.memory_for(self.device)
        return self._queue.snapshot(scalar(arg))

    @low_level(name="invoke", hidden={"memories"})
    def _launch(self, kernel, args, memories, grid, block):
        command = self._queue.call, kernel.pointer, memories, grid, block
        self._put("kernel", *command, kept=(kernel, memories))

    def bind(self, array, update_device=True):
        """Return an `OffloadArray` on the device, bound to an array on the host.

        Parameters
        ----------
        array : numpy.ndarray
            A contiguous array, in C or Fortran order. It is available as ``.array``, not copied.
        update_device : bool, optional
            Copy its contents to the device; otherwise the contents there are undefined.
        """
        bound = OffloadArray._bound(self, array)
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
            Copy the contents to the host's array, too.
        """
        array = OffloadArray(shape, dtype, order, stream=self)
        return array.update_host() if update_host else array

    def bcast(self, value, shape, dtype=float, order="C", update_host=True):
        """Return an array as from `empty`, filled with a value of its kind or a narrower kind."""
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
        """Call `empty` with the shape, dtype and order of an array on the host or a device."""
        return self.empty(*layout(other), update_host)

    def bcast_like(self, value, other, update_host=True):
        """Call `bcast` with the shape, dtype and order of an array on the host or a device."""
        return self.bcast(value, *layout(other), update_host)

    def zeros_like(self, other, update_host=True):
        """Call `zeros` with the shape, dtype and order of an array on the host or a device."""
        return self.bcast_like(0, other, update_host)

    def ones_like(self, other, update_host=True):
        """Call `ones` with the shape, dtype and order of an array on the host or a device."""
        return self.bcast_like(1, other, update_host)

    @low_level()
    def allocate_device_memory(self, nbytes, alignment=64, sticky=False):
        """Allocate memory of the device, and return a `DevicePointer`.

        Parameters
        ----------
        nbytes : int
            The number of bytes, at least one.
        alignment : int, optional
            A divisor of the address, a power of two.
        sticky : bool, optional
            Keep the memory until `deallocate_device_memory`, not just as long as the result lives.
        """
        nbytes, alignment = whole("nbytes", nbytes, 1), whole("alignment", alignment, 1)
        if alignment & (alignment - 1):
            raise ValueError(f"alignment must be a power of two, got {alignment}")
        self._check()
        memory = self.device.engine.allocate(nbytes, alignment)
        return DevicePointer(self.device, memory, nbytes, sticky)

    @low_level()
    def deallocate_device_memory(self, device_ptr):
        """Free memory of the device, once the commands that use it are done."""
        pointer(device_ptr).free()

    @low_level(hidden={"keep"})
    def transfer_host2device(
        self, host_ptr, device_ptr, nbytes, offset_host=0, offset_device=0, keep=None
    ):
        """Copy bytes from an address on the host to memory of the device.

        Parameters
        ----------
        host_ptr : int
            An address, such as ``array.ctypes.data``. Its memory must live until the copy is done.
        device_ptr : DevicePointer
        nbytes, offset_host, offset_device : int
            The number of bytes, and the bytes to skip at the start of either side.
        keep : object, optional
            An object to keep alive until the copy is done, such as the array.
        """
        memory, offset, nbytes = self._reach(device_ptr, nbytes, offset_device, "offset_device")
        arguments = address(host_ptr), memory, nbytes, whole("offset_host", offset_host), offset
        self._put("to_device", self._queue.copy_in, *arguments, kept=(memory, keep))

    @low_level(hidden={"keep"})
    def transfer_device2host(
        self, device_ptr, host_ptr, nbytes, offset_device=0, offset_host=0, keep=None
    ):
        """Copy bytes from the device to an address on the host; see `transfer_host2device`."""
        memory, offset, nbytes = self._reach(device_ptr, nbytes, offset_device, "offset_device")
        arguments = memory, address(host_ptr), nbytes, offset, whole("offset_host", offset_host)
        self._put("to_host", self._queue.copy_out, *arguments, kept=(memory, keep))

    @low_level()
    def transfer_device2device(
        self, device_ptr_src, device_ptr_dst, nbytes, offset_device_src=0, offset_device_dst=0
    ):
        """Copy bytes within the device; source and destination must not overlap."""
        source, start, nbytes = self._reach(
            device_ptr_src, nbytes, offset_device_src, "offset_device_src"
        )
        destination, to, _ = self._reach(
            device_ptr_dst, nbytes, offset_device_dst, "offset_device_dst"
        )
        if source is destination and abs(start - to) < nbytes:
            raise ValueError(f"{nbytes} bytes from offset {start} and from offset {to} overlap")
        arguments = source, destination, nbytes, start, to
        self._put("on_device", self._queue.copy, *arguments, kept=(source, destination))

    def _reach(self, device_ptr, nbytes, offset, name):
        """Return a pointer's memory, the offset and the number of bytes, all checked."""
        memory = pointer(device_ptr).memory_for(self.device)
        nbytes, offset = whole("nbytes", nbytes, 1), whole(name, offset)
        if offset + nbytes > device_ptr.nbytes:
            raise ValueError(
                f"{nbytes} bytes from {name} {offset} reach beyond the {device_ptr.nbytes} "
                "bytes that were allocated"
            )
        return memory, offset, nbytes

    def translate_device_pointer(self, device_ptr):
        """Return the address of memory on the device (0 for None), after a `sync`.

        OpenCL has no addresses of memory; the handle of the buffer replaces them.
        """
        if device_ptr is None:
            return 0
        memory = pointer(device_ptr).memory_for(self.device)
        self.sync()
        return self.device.engine.address(memory)


def finish(queue, process):
    """Finish the commands in flight, except in a forked process, which did not start them."""
    if process == os.getpid():
        with contextlib.suppress(OffloadError):  # no caller can handle it now
            queue.sync()
