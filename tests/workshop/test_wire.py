"""What the judge and an answer say to each other: values pass, and nothing else does."""

import collections
import json
import os

import numpy as np
import pytest
from cases import folded

from polymask.workshop.sandbox import wire


class Other:
    """What is no plain value."""


def codec():
    held = []
    return wire.Codec(lambda value: held.append(value) or len(held) - 1, held.__getitem__)


def passed(value, by=None):
    """Return a value as the other side would have it."""
    by = by or codec()
    lengths, header, *parts = by.encode(value)
    data = b"".join(parts)
    assert wire.LENGTHS.unpack(lengths) == (len(header), len(data))
    return by.decode(header, data)


VALUES = [
    None,
    True,
    7,
    -(10**400),
    0.1,
    float("inf"),
    2 - 3j,
    "ä\ud800\0",
    b"\0\xff",
    [1, (2.5, None)],
    {(1, 2): "a", "b": [3]},
    slice(1, None, 2),
    ...,
    ValueError,
    np.float32(1.5),
    np.int64(-3),
    np.bool_(True),
]


@folded("value", VALUES)
def test_a_value_passes_as_it_is(value):
    got = passed(value)
    assert type(got) is type(value)
    assert got == value
    assert np.isnan(passed(float("nan")))


def test_a_tuple_with_names_passes_as_a_tuple():
    got = passed(collections.namedtuple("Line", "call pixel")(1, 2.5))
    assert type(got) is tuple
    assert got == (1, 2.5)


ARRAYS = {
    "C": np.arange(6.0).reshape(2, 3),
    "Fortran": np.asfortranarray(np.arange(6).reshape(2, 3)),
    "single, every other row": np.arange(12, dtype=np.float32).reshape(6, 2)[::2],
    "turned round": np.arange(5)[::-1],
    "empty": np.empty((0, 7), np.uint8),
    "no dimension": np.array(3),
    "text": np.array(["a", "bc"]),
}


@folded("label", ARRAYS)
@folded("writeable", [True, False])
def test_an_array_passes_as_it_lies(label, writeable):
    array = ARRAYS[label].view()
    array.flags.writeable = writeable
    got = passed(array)
    assert (type(got), got.dtype, got.shape) == (np.ndarray, array.dtype, array.shape)
    assert np.array_equal(got, array)
    assert got.flags.writeable == writeable
    for order in ("c_contiguous", "f_contiguous"):
        if label != "turned round":
            assert getattr(got.flags, order) == getattr(array.flags, order)
    assert not np.shares_memory(got, array)


@folded("value", [Other(), Other, np.arange(3).view(np.recarray), np.array([Other()]), {1, 2}, len])
def test_what_is_no_plain_value_is_held(value):
    assert passed([value])[0] is value


NESTED = "[" * 100_000 + "]" * 100_000
GARBLED = [
    b"{",
    NESTED.encode(),
    b'{"k": "no such kind", "v": 1}',
    b'{"k": "exception", "v": "eval"}',
    b'{"k": "held", "v": 99}',
    b'{"k": "array", "dtype": "O", "shape": [1], "order": "C", "n": 8, "writeable": true}',
    b'{"k": "array", "dtype": "u1", "shape": [99], "order": "C", "n": 8, "writeable": true}',
    b'{"k": "array", "dtype": "u1", "shape": [-8], "order": "C", "n": 8, "writeable": true}',
    b'{"k": "array", "dtype": "u1", "shape": [8], "order": "C", "n": 8, "strides": [1e9], '
    b'"writeable": true}',
    b'{"k": "bytes", "n": 9}',
    b'{"k": "dict", "v": [[{"k": "list", "v": []}, 1]]}',
]


@folded("header", GARBLED)
def test_what_is_no_message_is_garbled_and_runs_nothing(header):
    with pytest.raises(wire.Garbled):
        codec().decode(header, b"12345678")


def test_a_message_of_any_length_waits_for_its_reader():
    reads, writes = os.pipe()
    child = os.fork() if hasattr(os, "fork") else None
    if child == 0:  # a pipe holds less than this
        wire.Channel(reads, writes, codec()).send(list(range(100_000)))
        os._exit(0)
    try:
        assert wire.Channel(reads, writes, codec()).receive() == list(range(100_000))
    finally:
        os.waitpid(child, 0)
        os.close(reads)
        os.close(writes)


def test_a_length_that_is_too_large_is_not_waited_for():
    reads, writes = os.pipe()
    os.write(writes, wire.LENGTHS.pack(2**62, 0))
    with pytest.raises(wire.Garbled):
        wire.Channel(reads, writes, codec()).receive()
    os.close(writes)
    with pytest.raises(wire.Gone):
        wire.Channel(reads, writes, codec()).receive()
    os.close(reads)


def test_json_alone_is_read():
    assert json.loads(codec().encode("ä")[1]) == "ä"
