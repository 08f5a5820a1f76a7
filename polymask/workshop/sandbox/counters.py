"""Reads and switches what `instrumented` put into a module of Cython's; in the child."""

import ctypes


def watch(file, off, on):
    """Begin to watch, or end; `off` are the names in C of functions that return at once."""
    library = ctypes.CDLL(file)
    names = names_of(library)
    for i, name in enumerate(names):
        array(library, "off", ctypes.c_char, len(names))[i] = int(name in off)
        array(library, "entered", ctypes.c_ssize_t, len(names))[i] = 0
    ctypes.c_int.in_dll(library, "polymask_watching").value = int(on)


def entered(file):
    """Return name in C to the calls since it is watched."""
    library = ctypes.CDLL(file)
    names = names_of(library)
    return dict(zip(names, array(library, "entered", ctypes.c_ssize_t, len(names)), strict=True))


def memory(file):
    """Return how many pieces of memory were asked for, and given back; and the bytes asked for."""
    library = ctypes.CDLL(file)
    return [
        ctypes.c_ssize_t.in_dll(library, f"polymask_{name}").value
        for name in ("asked", "given_back", "bytes")
    ]


def names_of(library):
    """Return the names in C of what is counted."""
    address = ctypes.addressof(ctypes.c_char.in_dll(library, "polymask_names"))
    return ctypes.string_at(address).decode().split("\n")


def array(library, name, kind, length):
    """Return an array of the module's."""
    return (kind * length).in_dll(library, f"polymask_{name}")
