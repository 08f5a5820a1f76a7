"""What the judge and a student's answer say to each other: plain values over two pipes.

A message is a header in JSON, and raw bytes. Whoever reads it makes values of it, and runs nothing:
there is no pickle. What is no plain value stays where it is, and goes by its number: an object of
the student's class, or a function of the judge's that the answer may call.
"""

import builtins
import json
import math
import os
import select
import struct
import time

import numpy as np

LENGTHS = struct.Struct("<QQ")  # of the header and of the bytes that follow it
MOST_BYTES = 2**31  # of a message; a length beyond was written by nobody of ours
KINDS = "biufcSU"  # of the arrays that may pass: numbers and text
LARGE = 2**63  # integers from here on go as text: Python's JSON limits their digits
ATOMIC = 4096  # bytes that a pipe with room takes at once, and never waits
INTERVAL_S = 0.1  # between two looks whether the other side is still there
SCALARS = {kind for kind in np.sctypeDict.values() if np.dtype(kind).kind in KINDS}


class Garbled(Exception):
    """What came is no message."""


class Gone(Exception):
    """The other side has closed its end."""


class Late(Exception):
    """The other side took too long."""


class Held:
    """Stands for an object that stayed on the other side; the name of its type is known."""

    __slots__ = ("_type_name",)


def type_name(value):
    """Return the name of a value's type, or of that of the object which it stands for."""
    return value._type_name if isinstance(value, Held) else type(value).__name__


def strided(array):
    """Whether the bytes of an array lie neither in C's nor in Fortran's order."""
    return not (array.flags.c_contiguous or array.flags.f_contiguous)


class Codec:
    """Makes messages of values, and values of messages.

    `hold` returns the dict that stands for an object that is no plain value; `found`, given such a
    dict of the other side's, what stands for the object here.
    """

    def __init__(self, hold, found):
        self.hold, self.found = hold, found

    def encode(self, value):
        """Return the pieces of bytes of a message."""
        parts = []
        header = json.dumps(self.plain(value, parts)).encode()
        return [LENGTHS.pack(len(header), sum(map(len, parts))), header, *parts]

    def plain(self, value, parts):
        """Return what JSON can say of a value; bytes go to `parts`."""
        kind = type(value)
        if value is None or kind in (bool, str, float):
            return value
        if value is ...:
            return {"k": "ellipsis"}
        if kind is int:
            return value if -LARGE < value < LARGE else {"k": "int", "v": hex(value)}
        if isinstance(value, list | tuple):  # one with names, too
            plain = "list" if isinstance(value, list) else "tuple"
            return {"k": plain, "v": [self.plain(one, parts) for one in value]}
        if kind is dict:
            pairs = [[self.plain(one, parts) for one in pair] for pair in value.items()]
            return {"k": "dict", "v": pairs}
        if kind is complex:
            return {"k": "complex", "v": [value.real, value.imag]}
        if kind is slice:
            ends = value.start, value.stop, value.step
            return {"k": "slice", "v": [self.plain(one, parts) for one in ends]}
        if kind in (bytes, bytearray):
            parts.append(bytes(value))
            return {"k": "bytes", "n": len(value)}
        if kind is np.ndarray and value.dtype.kind in KINDS:
            return self.array(value, parts)
        if kind in SCALARS:
            return {"k": "scalar", "v": self.array(np.asarray(value), parts)}
        if kind is type and issubclass(value, BaseException) and is_builtin(value):
            return {"k": "exception", "v": value.__name__}
        return {"k": "held", "v": self.hold(value)}

    @staticmethod
    def array(value, parts):
        """Return what JSON can say of an array; its bytes go to `parts`."""
        order = "C" if value.flags.c_contiguous or strided(value) else "F"
        parts.append(value.tobytes(order))
        said = {"k": "array", "dtype": value.dtype.str, "shape": list(value.shape), "order": order}
        said |= {"n": len(parts[-1]), "writeable": bool(value.flags.writeable)}
        if strided(value) and min(value.strides) > 0:
            said["strides"] = list(value.strides)
        return said

    def decode(self, header, data):
        """Return the value of a message."""
        try:
            return self.value(json.loads(header), Reader(data))
        except (ValueError, TypeError, KeyError, IndexError, RecursionError, MemoryError) as error:
            raise Garbled(f"{type(error).__name__}: {error}") from error

    def value(self, said, reader):
        """Return the value that JSON has said."""
        if not isinstance(said, dict):
            return said
        kind, rest = said["k"], said.get("v")
        if kind == "list":
            return [self.value(one, reader) for one in rest]
        if kind == "tuple":
            return tuple(self.value(one, reader) for one in rest)
        if kind == "dict":
            pairs = [(self.value(key, reader), self.value(one, reader)) for key, one in rest]
            return dict(pairs)
        if kind == "slice":
            return slice(*(self.value(one, reader) for one in rest))
        if kind == "int":
            return int(rest, 16)
        if kind == "complex":
            return complex(*rest)
        if kind == "bytes":
            return reader.take(said["n"])
        if kind == "array":
            return made(said, reader)
        if kind == "scalar":
            return made(rest, reader)[()]
        if kind == "exception":
            found = getattr(builtins, rest)
            if not is_builtin(found):
                raise ValueError(rest)
            return found
        if kind == "ellipsis":
            return ...
        if kind == "held":
            return self.found(rest)
        raise ValueError(f"a value of the kind {kind!r}")


class Reader:
    """Takes the bytes of a message one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        """Return the next bytes."""
        if not isinstance(n, int) or not 0 <= n <= len(self.data) - self.at:
            raise ValueError(f"{n} bytes of {len(self.data) - self.at}")
        self.at += n
        return self.data[self.at - n : self.at]


def is_builtin(value):
    """Whether this is one of Python's own exceptions."""
    return (
        isinstance(value, type)
        and issubclass(value, BaseException)
        and getattr(builtins, value.__name__, None) is value
    )


def made(said, reader):
    """Return the array that a message describes, in memory of its own."""
    dtype, shape = np.dtype(str(said["dtype"])), tuple(said["shape"])
    data = reader.take(said["n"])
    if dtype.kind not in KINDS or math.prod(shape) * dtype.itemsize != len(data):
        raise ValueError(f"{len(data)} bytes for {dtype} of the shape {shape}")
    array = np.ndarray(shape, dtype, data, order=said["order"]).copy(said["order"])
    if strides := said.get("strides"):
        ends = (max(n - 1, 0) * step for n, step in zip(shape, strides, strict=True))
        span = np.full(sum(ends) + dtype.itemsize, 0xA5, np.uint8)
        if span.size > MOST_BYTES:
            raise ValueError(f"an array with the strides {strides}")
        wide = np.ndarray(shape, dtype, span, strides=tuple(strides))
        wide[...] = array
        array = wide
    array.flags.writeable = bool(said["writeable"])
    return array


class Channel:
    """Two pipes: one to read messages from, and one to write them to."""

    def __init__(self, reads, writes, codec):
        self.reads, self.writes, self.codec = reads, writes, codec

    def send(self, value, wait=None):
        """Write a message; `wait` is called before each write, and waits until there is room."""
        data = memoryview(b"".join(self.codec.encode(value)))
        try:
            while data:
                if wait:
                    wait(self.writes)
                data = data[os.write(self.writes, data[:ATOMIC] if wait else data) :]
        except OSError as error:
            raise Gone from error

    def receive(self, wait=None):
        """Read a message; `wait` is called before each read, and waits until there is something."""
        head = self.read(LENGTHS.size, wait)
        n_header, n_data = LENGTHS.unpack(head)
        if n_header + n_data > MOST_BYTES:
            raise Garbled(f"a message of {n_header + n_data} bytes")
        return self.codec.decode(self.read(n_header, wait), self.read(n_data, wait))

    def read(self, n, wait):
        """Read so many bytes."""
        parts = []
        while n:
            if wait:
                wait(self.reads)
            part = os.read(self.reads, min(n, 2**20))
            if not part:
                raise Gone
            parts.append(part)
            n -= len(part)
        return b"".join(parts)

    def close(self):
        """Close both ends."""
        for end in (self.reads, self.writes):
            os.close(end)


def ready(fd, until, there):
    """Wait until a pipe can be read, or written to; raise `Late` or `Gone`.

    `until` returns the time, by `time.monotonic`, at which patience ends: it may move. `there` says
    whether the other side still is: it may have gone, and a child of its own keep its end.
    """
    poll = select.poll()
    poll.register(fd, select.POLLIN | select.POLLOUT | select.POLLHUP)
    while True:
        alive = there()
        left = until() - time.monotonic()
        if poll.poll(1e3 * min(max(left, 0), INTERVAL_S) if alive else 0):
            return
        if not alive:
            raise Gone
        if left <= 0:
            raise Late
