"""The engines that the runtime computes with: a file each, behind one small interface.

An engine is one device. Its class has a name, and

``count()``
    How many such devices work here; `polymask.contract.Unavailable` says why there is none.
``describe()``
    The `polymask.devices.Device`.
``allocate(nbytes, alignment)``
    Memory of the device, or an `OffloadError`; it is freed when nothing refers to it any more.
``snapshot(array)``
    Memory with the contents of a small array, as they are now.
``address(memory)``
    A number that stands for it on the device.
``load(file, defines)``
    A library, of a source file or what the engine takes besides; `OffloadError` if it cannot be.
``find(library, name)``
    A kernel, or None.
``queue()``
    A queue of commands, which are done in order. Its methods return at once, a ticket each:
    ``copy_in(host, memory, nbytes, offset_host, offset_device)``, ``copy_out(memory, host, nbytes,
    offset_device, offset_host)``, ``copy(source, destination, nbytes, offset_source,
    offset_destination)``, ``call(kernel, memories, grid, block)`` with None for a null pointer,
    ``mark()``, ``wait(ticket)``. ``sync()`` waits for all, and raises the first failure as an
    `OffloadError`. A ticket has ``done()``, ``wait()`` and ``times()``: seconds at which the
    command was queued, began and ended.
"""

import importlib

from polymask import devices

NAMES = {"host": "Host", "opencl": "OpenCL", "cuda": "CUDA"}  # the module, and its class


def engine(name):
    """Return the class of an engine; raise `Unavailable` where its package is set to nonsense."""
    if name == "opencl":
        devices.kind(name).check_settings()
    return getattr(importlib.import_module(f"polymask.offload.engines.{name}"), NAMES[name])
