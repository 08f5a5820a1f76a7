"""Libraries of kernels: found, loaded for a device, asked for kernels by their names."""

import os
from pathlib import Path
from typing import Any, NamedTuple

from polymask.offload import source
from polymask.offload.error import OffloadError

SEARCH = ("POLYMASK_OFFLOAD_LIBRARY_PATH", "PYMIC_LIBRARY_PATH")  # folders, as in PATH
SUFFIXES = ("", ".so", ".c", ".cpp", ".cl", ".cu")


class Kernel(NamedTuple):
    """A function of a library that `OffloadStream.invoke` takes."""

    name: str
    pointer: Any  # its address on the host engine
    device: Any
    library: Any  # which stays as long as somebody has the kernel


class _UnknownKernel(OffloadError, AttributeError):
    """Both, so that `hasattr` says no."""


class OffloadLibrary:
    """A library on a device: its attributes are its kernels.

    Parameters
    ----------
    name : str or path-like
        A file, or its name in the folder where the program runs or in one that
        ``POLYMASK_OFFLOAD_LIBRARY_PATH`` lists; the suffix may be left out.
    device : OffloadDevice
        Where its kernels will run.
    defines : dict, optional
        Macros for a source: name to value.

    A file that is not found, not compiled or not loaded is an `OffloadError`, and so is an
    attribute that is no kernel of it.
    """

    def __init__(self, name, device, defines=None):
        self._name, self._device = str(name), device
        self._loaded = device.engine.load(find(self._name), defines or {})
        self._kernels = {}

    def __getattr__(self, name):
        if name.startswith("__"):  # Python asks for these by itself
            raise AttributeError(name)
        if name not in self._kernels:
            self._kernels[name] = self._device.engine.find(self._loaded, name)
        pointer = self._kernels[name]
        if pointer is None:
            raise _UnknownKernel(f"the library {self._name} has no kernel {name!r}")
        return Kernel(name, pointer, self._device, self)

    def __repr__(self):
        return f"OffloadLibrary({self._name!r}, {self._device})"


def find(name):
    """Return the file of a library; an `OffloadError` names the folders it is not in."""
    variable = next((key for key in SEARCH if os.environ.get(key)), SEARCH[0])
    listed = [Path(one) for one in os.environ.get(variable, "").split(os.pathsep) if one]
    folders = [Path.cwd(), *listed, source.KERNELS]
    for file in (folder / (name + suffix) for folder in folders for suffix in SUFFIXES):
        if file.is_file() and file.suffix:
            return file.resolve()
    none = ", ".join(str(folder) for folder in listed if not folder.is_dir())
    what = f"lists what is no folder: {none}" if none else "lists more folders"
    raise OffloadError(f"no library {name!r} in {', '.join(map(str, folders))}: {variable} {what}")
