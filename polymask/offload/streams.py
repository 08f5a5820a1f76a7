"""A stream: a queue of copies and kernels, which a device works through in order."""

import atexit
import contextlib
import itertools
import os
import threading
import weakref
from collections import deque

import numpy as np

from polymask.offload.arguments import address, pointer, scalar, whole
from polymask.offload.arrays import OffloadArray
from polymask.offload.error import OffloadError
from polymask.offload.library import Kernel
from polymask.offload.pointers import DevicePointer
from polymask.offload.tracing import low_level

STREAMS, NUMBERS = weakref.WeakSet(), itertools.count()


class OffloadEvent:
    """A point in a stream, reached when all before it is done."""

    def __init__(self, stream, ticket):
        self.stream, self.ticket = stream, ticket

    def __repr__(self):
        return f"<OffloadEvent of {self.stream}>"

    def done(self):
        """Return whether the stream has reached it."""
        return self.ticket.done()

    def wait(self):
        """Wait until the stream has reached it."""
        self.ticket.wait()


class OffloadStream:
    """A queue in order; a device makes it, by `OffloadDevice.create_stream`.

    All methods but `sync`, `translate_device_pointer`, and `invoke` with plain arrays return before
    the work is done. What a copy or a kernel uses stays alive until it has. Errors of the work
    itself are raised by `sync`, and the stream stays usable.
    """

    def __init__(self, device):
        self.device, self.stream_id = device, next(NUMBERS)
        self._queue, self._process = device.engine.queue(), os.getpid()
        self._kept, self._lock = deque(), threading.Lock()
        self.log = None  # a list receives (name, ticket) of each command
        STREAMS.add(self)

    def __del__(self):
        if getattr(self, "_process", None) == os.getpid():
            with contextlib.suppress(OffloadError):  # nobody is left to hear of it
                self._queue.sync()

    def get_device(self):
        """Return the device that the stream belongs to."""
        return self.device

    def __repr__(self):
        return f"OffloadStream({self.stream_id}, {self.device})"

    def __str__(self):
        return f"stream {self.stream_id} of {self.device}"

    def _keep(self, name, ticket, *kept):
        """Let what a command uses live until it is done."""
        if self.log is not None:
            self.log.append((name, ticket))
        with self._lock:
            self._kept.append((ticket, kept))
            while self._kept and self._kept[0][0].done():
                self._kept.popleft()

    def _check(self):
        """Raise an error in a process that the stream's threads have not come to."""
        if os.getpid() != self._process:
            raise OffloadError(
                "this process was forked from one that made the stream, and has none of its "
                'threads: start processes by "spawn"'
            )

    @low_level(1)
    def sync(self):
        """Wait until all is done.

        Raises
        ------
        OffloadError
            If a command failed since the last call.
        """
        self._check()
        try:
            self._queue.sync()
        finally:
            with self._lock:
                while self._kept and self._kept[0][0].done():
                    self._kept.popleft()

    @low_level(1)
    def record(self):
        """Return an `OffloadEvent` for all that is in the stream now."""
        self._check()
        return OffloadEvent(self, self._queue.mark())

    @low_level(1)
    def wait(self, event):
        """Let all that comes wait for an event, of another stream say."""
        self._check()
        if event.stream.device == self.device:
            self._keep("wait", self._queue.wait(event.ticket), event)
        else:  # devices do not know each other's events
            event.wait()

    def invoke(self, kernel, *args, grid=None, block=None):
        """Run a kernel of a library on the stream's device.

        Parameters
        ----------
        kernel : Kernel
            An attribute of an `OffloadLibrary` of this device.
        *args : OffloadArray, DevicePointer, numpy.ndarray, scalar or None
            What its parameters point to: an offload array's memory; a plain array's copy, which
            is copied back afterwards unless the array is read-only, and waited for; a scalar's
            value of now (Python's own as int64, float64, complex128); nothing.
        grid, block : tuple of int, optional
            How many blocks, of how many work items each, for a device that has such.

        Raises
        ------
        OffloadError
            If the kernel is of another device; with plain arrays, if it or the work before failed.
        ValueError
            If an array is not contiguous, or an argument none of these.
        """
        self._check()
        if not isinstance(kernel, Kernel):
            raise ValueError(f"a kernel is an attribute of a library, not {kernel!r}")
        if kernel.device != self.device:
            raise OffloadError(f"{kernel.name} was loaded for {kernel.device}, not {self.device}")
        memories, plain = [], {}
        for arg in args:
            if arg is None:
                memories.append(None)
            elif isinstance(arg, OffloadArray):
                memories.append(arg.pointer.memory_for(self.device))
            elif isinstance(arg, DevicePointer):
                memories.append(arg.memory_for(self.device))
            elif isinstance(arg, np.ndarray):
                if id(arg) not in plain:
                    plain[id(arg)] = self.bind(arg)
                memories.append(plain[id(arg)].pointer.memory_for(self.device))
            else:
                memories.append(self.device.engine.snapshot(scalar(arg)))
        self._launch(kernel, args, memories, grid, block)
        for bound in plain.values():
            if bound.array.flags.writeable:
                bound.update_host()
        if plain:
            self.sync()

    invoke_kernel = invoke

    @low_level(1, "invoke", but={"memories"})
    def _launch(self, kernel, args, memories, grid, block):
        ticket = self._queue.call(kernel.pointer, memories, grid, block)
        self._keep("kernel", ticket, kernel, memories)

    def bind(self, array, update_device=True):
        """Make an array of the device, bound to an array of the host.

        Parameters
        ----------
        array : numpy.ndarray
            Contiguous, in C or Fortran order. It is not copied, and stays as ``.array``.
        update_device : bool, optional
            Copy its contents to the device; else the device's are undefined.

        Returns
        -------
        OffloadArray

        Raises
        ------
        ValueError
            If it is no array, or not contiguous.
        """
        if not isinstance(array, np.ndarray):
            raise ValueError(f"only a numpy.ndarray can be bound, not a {type(array).__name__}")
        bound = OffloadArray(self, array)
        if update_device:
            bound.update_device()
        return bound

    def copy(self, array, update_device=True):
        """Do as `bind` does, with a copy of the host's array."""
        if not isinstance(array, np.ndarray):
            raise ValueError(f"only a numpy.ndarray can be copied, not a {type(array).__name__}")
        if not array.flags.forc:
            raise ValueError("could not detect storage order: the array is not contiguous")
        return self.bind(array.copy(order="K"), update_device)

    def empty(self, shape, dtype=float, order="C", update_host=True):
        """Make an array of the device whose contents are undefined.

        Parameters
        ----------
        shape : int or tuple of int
        dtype : data-type, optional
        order : {"C", "F"}, optional
        update_host : bool, optional
            Copy the contents to the host's array as well.

        Returns
        -------
        OffloadArray
        """
        made = OffloadArray(self, np.empty(shape, dtype, order))
        if update_host:
            made.update_host()
        return made

    def bcast(self, value, shape, dtype=float, order="C", update_host=True):
        """Do as `empty` does, and fill the array with a value."""
        made = self.empty(shape, dtype, order, update_host=False)
        try:
            made.fill(np.dtype(dtype).type(value))
        except (OverflowError, TypeError):
            raise ValueError(f"an array of {made.dtype} cannot be filled with {value!r}") from None
        if update_host:
            made.update_host()
        return made

    def zeros(self, shape, dtype=float, order="C", update_host=True):
        """Do as `empty` does, and fill the array with zeros."""
        return self.bcast(0, shape, dtype, order, update_host)

    def ones(self, shape, dtype=float, order="C", update_host=True):
        """Do as `empty` does, and fill the array with ones."""
        return self.bcast(1, shape, dtype, order, update_host)

    def empty_like(self, other, update_host=True):
        """Do as `empty` does, in the shape, dtype and order of an array of host or device."""
        return self.empty(other.shape, other.dtype, order_of(other), update_host)

    def bcast_like(self, value, other, update_host=True):
        """Do as `bcast` does, in the shape, dtype and order of an array of host or device."""
        return self.bcast(value, other.shape, other.dtype, order_of(other), update_host)

    def zeros_like(self, other, update_host=True):
        """Do as `zeros` does, in the shape, dtype and order of an array of host or device."""
        return self.bcast_like(0, other, update_host)

    def ones_like(self, other, update_host=True):
        """Do as `ones` does, in the shape, dtype and order of an array of host or device."""
        return self.bcast_like(1, other, update_host)

    @low_level(2)
    def allocate_device_memory(self, nbytes, alignment=64, sticky=False):
        """Allocate memory of the device.

        Parameters
        ----------
        nbytes : int
            How many bytes, at least one.
        alignment : int, optional
            Its address is a multiple of so many bytes, a power of two.
        sticky : bool, optional
            Keep it until `deallocate_device_memory`; else it goes with the returned object.

        Returns
        -------
        DevicePointer

        Raises
        ------
        ValueError
            If `nbytes` is not positive, or `alignment` is no power of two.
        OffloadError
            If the device has not so much memory.
        """
        nbytes = whole("nbytes", nbytes, 1)
        alignment = whole("alignment", alignment, 1)
        if alignment & (alignment - 1):
            raise ValueError(f"alignment must be a power of two, got {alignment}")
        try:
            memory = self.device.engine.allocate(nbytes, alignment)
        except MemoryError:
            raise OffloadError(f"{self.device} has no {nbytes} bytes of memory") from None
        return DevicePointer(self.device, memory, nbytes, sticky)

    @low_level(2)
    def deallocate_device_memory(self, device_ptr):
        """Free memory of the device, once the commands that use it are done."""
        pointer(device_ptr).free()

    def transfer_host2device(self, host_ptr, device_ptr, nbytes, offset_host=0, offset_device=0):
        """Copy bytes from an address of the host to memory of the device.

        Parameters
        ----------
        host_ptr : int
            An address, as ``array.ctypes.data``. The memory has to live until the copy is done.
        device_ptr : DevicePointer
        nbytes, offset_host, offset_device : int
            How many bytes, and how many to leave out at the start of either side.

        Raises
        ------
        ValueError
            If a number is negative, or reaches beyond the device's memory.
        OffloadError
            If the memory has been freed, or is of another device.
        """
        self._copy_in(host_ptr, device_ptr, nbytes, offset_host, offset_device)

    @low_level(1, "transfer_host2device", but={"kept"})
    def _copy_in(self, host_ptr, device_ptr, nbytes, offset_host=0, offset_device=0, *kept):
        self._check()
        memory, offset, nbytes = self._reach(device_ptr, nbytes, offset_device, "offset_device")
        offset_host = whole("offset_host", offset_host)
        ticket = self._queue.copy_in(address(host_ptr), memory, nbytes, offset_host, offset)
        self._keep("to_device", ticket, memory, *kept)

    def transfer_device2host(self, device_ptr, host_ptr, nbytes, offset_device=0, offset_host=0):
        """Copy bytes from memory of the device to an address of the host.

        The arguments are those of `transfer_host2device`.
        """
        self._copy_out(device_ptr, host_ptr, nbytes, offset_device, offset_host)

    @low_level(1, "transfer_device2host", but={"kept"})
    def _copy_out(self, device_ptr, host_ptr, nbytes, offset_device=0, offset_host=0, *kept):
        self._check()
        memory, offset, nbytes = self._reach(device_ptr, nbytes, offset_device, "offset_device")
        offset_host = whole("offset_host", offset_host)
        ticket = self._queue.copy_out(memory, address(host_ptr), nbytes, offset, offset_host)
        self._keep("to_host", ticket, memory, *kept)

    @low_level(1)
    def transfer_device2device(
        self, device_ptr_src, device_ptr_dst, nbytes, offset_device_src=0, offset_device_dst=0
    ):
        """Copy bytes within the device, from one memory to another that does not overlap it."""
        self._check()
        source, start, nbytes = self._reach(
            device_ptr_src, nbytes, offset_device_src, "offset_device_src"
        )
        destination, to, _ = self._reach(
            device_ptr_dst, nbytes, offset_device_dst, "offset_device_dst"
        )
        if source is destination and abs(start - to) < nbytes:
            raise ValueError(f"{nbytes} bytes from {start} on and from {to} on overlap")
        ticket = self._queue.copy(source, destination, nbytes, start, to)
        self._keep("on_device", ticket, source, destination)

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

        An OpenCL device tells no addresses: there it is the handle of the buffer.
        """
        if device_ptr is None:
            return 0
        memory = pointer(device_ptr).memory_for(self.device)
        self.sync()
        return self.device.engine.address(memory)


@contextlib.contextmanager
def recorded(stream, events):
    """Put what goes into a stream meanwhile into a dict: number to (name, ticket); None is none."""
    if events is None:
        yield
        return
    stream.log = []
    try:
        yield
    finally:
        events |= dict(enumerate(stream.log))
        stream.log = None


def order_of(array):
    """Return the order of an array of host or device, "C" or "F"."""
    if isinstance(array, OffloadArray):
        return array.order
    return "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"


@atexit.register
def finish():
    """Finish what is in flight before Python's end takes its memory away."""
    for stream in list(STREAMS):
        if stream._process == os.getpid():
            with contextlib.suppress(OffloadError):  # nobody is left to hear of it
                stream._queue.sync()
