"""Libraries of kernels: found, loaded for a device, asked for kernels by their names."""

import os
from pathlib import Path
from typing import Any, NamedTuple

from polymask.common.errors import OffloadError

SEARCH = ("POLYMASK_OFFLOAD_LIBRARY_PATH", "PYMIC_LIBRARY_PATH")  # folders, as in PATH
SUFFIXES = (".so", ".c", ".cpp", ".cl", ".cu")


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

    def __init__(self, name, device, defines=None):  # attributes are mangled: none is a kernel's
        self.__name, self.__device, self.__kernels = str(name), device, {}
        file = find(self.__name, device.engine.suffixes)
        self.__loaded = device.engine.load(file, defines or {})

    def __getattr__(self, name):
        if name.startswith("_OffloadLibrary__") or (name[:2] == name[-2:] == "__"):
            raise AttributeError(name)  # Python asks for these by itself
        if name not in self.__kernels:
            self.__kernels[name] = self.__device.engine.find(self.__loaded, name)
        pointer = self.__kernels[name]
        if pointer is None:
            raise _UnknownKernel(f"the library {self.__name} has no kernel {name!r}")
        return Kernel(name, pointer, self.__device, self)

    def __repr__(self):
        return f"OffloadLibrary({self.__name!r}, {self.__device})"


def find(name, suffixes):
    """Return the file of a library; an `OffloadError` names the folders it is not in.

    Without a suffix it is a file that the engine takes, if there is one: its `suffixes`, in order.
    """
    variable = next((key for key in SEARCH if os.environ.get(key)), SEARCH[0])
    listed = [Path(one) for one in os.environ.get(variable, "").split(os.pathsep) if one]
    folders = [Path.cwd(), *listed]
    for endings in ("", *suffixes), SUFFIXES:
        for file in (folder / (name + ending) for folder in folders for ending in endings):
            if file.is_file() and file.suffix:
                return file.resolve()
    none = ", ".join(str(folder) for folder in listed if not folder.is_dir())
    what = f"lists what is no folder: {none}" if none else "lists more folders"
    raise OffloadError(f"no library {name!r} in {', '.join(map(str, folders))}: {variable} {what}")
