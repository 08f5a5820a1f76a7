"""The engines of the runtime: one file each, with one small interface.

An engine is one device. Its class has a name, and

``count()``
    The number of working devices; `polymask.contract.Unavailable` has the reason for none.
``describe()``
    The `polymask.devices.Device`.
``allocate(nbytes, alignment)``
    Memory of the device, or an `OffloadError`; it is freed with its last reference.
``snapshot(array)``
    Memory with the current contents of a small array.
``address(memory)``
    A number that identifies it on the device.
``load(file, defines)``
    A library from a source file, or another file of the engine; or an `OffloadError`.
``find(library, name)``
    A kernel, or None.
``queue()``
    A queue of commands, which run in order. Its methods return a ticket at once:
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
    """Return the class of an engine; raise `Unavailable` for bad settings of its package."""
    if name == "opencl":
        devices.kind(name).check_settings()
    return getattr(importlib.import_module(f"polymask.offload.engines.{name}"), NAMES[name])
