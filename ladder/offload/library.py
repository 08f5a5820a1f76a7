"""Libraries of kernels: finding them, loading them for a device, and getting kernels by name."""

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
    library: Any  # keeps the library as long as the kernel exists


class _UnknownKernel(OffloadError, AttributeError):
    """The error for an unknown kernel; it is also an AttributeError, so that `hasattr` works."""


class OffloadLibrary:
    """A library on a device: its attributes are its kernels.

    Parameters
    ----------
    name : str or path-like
        A file, or its name in the current folder or in a folder listed in
        ``POLYMASK_OFFLOAD_LIBRARY_PATH``; the suffix may be omitted.
    device : OffloadDevice
        The device that runs its kernels.
    defines : dict, optional
        Macros for a source file: name to value.

    Raises `OffloadError` if the file is missing, or cannot be compiled or loaded, and for an
    attribute that is not one of its kernels.
    """

    def __init__(self, name, device, defines=None):  # mangled attributes clash with no kernel
        self.__name, self.__device, self.__kernels = str(name), device, {}
        file = find(self.__name, device.engine.suffixes)
        self.__loaded = device.engine.load(file, defines or {})

    def __getattr__(self, name):
        if name.startswith("_OffloadLibrary__") or (name[:2] == name[-2:] == "__"):
            raise AttributeError(name)  # Python looks up these names itself
        if name not in self.__kernels:
            self.__kernels[name] = self.__device.engine.find(self.__loaded, name)
        pointer = self.__kernels[name]
        if pointer is None:
            raise _UnknownKernel(f"the library {self.__name} has no kernel {name!r}")
        return Kernel(name, pointer, self.__device, self)

    def __repr__(self):
        return f"OffloadLibrary({self.__name!r}, {self.__device})"


def find(name, suffixes):
    """Return the file of a library; an `OffloadError` names the folders that were searched.

    For a name without a suffix, the engine's `suffixes` come first, in order.
    """
    variable = next((key for key in SEARCH if os.environ.get(key)), SEARCH[0])
    listing = os.environ.get(variable, "").split(os.pathsep)
    extra_folders = [Path(folder) for folder in listing if folder]
    folders = [Path.cwd(), *extra_folders]
    for endings in ("", *suffixes), SUFFIXES:
        for file in (folder / (name + ending) for folder in folders for ending in endings):
            if file.is_file() and file.suffix:
                return file.resolve()
    bad = ", ".join(str(folder) for folder in extra_folders if not folder.is_dir())
    hint = f"lists paths that are not folders: {bad}" if bad else "lists more folders"
    raise OffloadError(f"no library {name!r} in {', '.join(map(str, folders))}: {variable} {hint}")
