"""The engines of the runtime, one per module, with a small common interface.

An engine is one device. Its class has a name, and

``count()``
    The number of working devices; `polymask.contract.Unavailable` is raised if there is none.
``describe()``
    The `ladder.devices.Device`.
``allocate(nbytes, alignment)``
    Memory of the device, which is freed with its last reference; may raise an `OffloadError`.
``address(memory)``
    A number that identifies the memory on the device.
``load(file, defines)``
    A library from a source file, or a compiled file of the engine; may raise an `OffloadError`.
``find(library, name)``
    A kernel, or None.
``queue()``
    A queue of commands, which run in order. These methods return a ticket at once:
    ``copy_in(host, memory, nbytes, offset_host, offset_device)``, ``copy_out(memory, host, nbytes,
    offset_device, offset_host)``, ``copy(source, destination, nbytes, offset_source,
    offset_destination)``, ``call(kernel, memories, grid, block)`` with None for a null pointer,
    ``mark()``, ``wait(ticket)``. ``snapshot(scalar)`` returns memory with the current value of an
    array without dimensions, for a ``call``. ``sync()`` waits for all commands, and raises the
    first failure as an `OffloadError`. A ticket has ``done()``, ``wait()`` and ``times()``: the
    seconds at which the command was queued, started and ended.
"""

import importlib

NAMES = {"host": "Host", "opencl": "OpenCL", "cuda": "CUDA"}  # module to class


def engine(name):
    """Return the class of an engine."""
    return getattr(importlib.import_module(f"ladder.offload.engines.{name}"), NAMES[name])
