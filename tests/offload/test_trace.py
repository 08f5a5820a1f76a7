"""The output about the runtime's internal operations."""

import re

import numpy as np
import pytest
from fresh_python import run

from ladder import offload
from ladder.offload import tracing

START = r" *[\d.]+ ms  (?:stream \d+ of )?\w+:\d+: (\w+)\((.*)\)"
LINE = re.compile(
    START + rf"( = .*)?  (took [\d.]+ us|by the garbage collector)  at {__file__}:\d+"
)


@pytest.fixture
def trace(monkeypatch, capsys):
    """Trace something, and return the printed lines."""

    def run_traced(do):
        monkeypatch.setattr(tracing, "tracing", True)
        do()
        monkeypatch.setattr(tracing, "tracing", False)
        printed = capsys.readouterr()
        assert not printed.out
        return printed.err.splitlines()

    return run_traced


def test_a_trace_tells_each_call_and_how_long_it_took(stream, device, kernels, trace):
    other = device.create_stream()

    def do():
        bound = stream.bind(np.ones(3))
        stream.invoke(kernels.add_to, bound, 3, 0.5, grid=(1,), block=(64,))
        stream.transfer_device2device(bound.pointer, bound.pointer, 8, 0, 8)
        other.wait(stream.record())
        bound.update_host()
        other.sync()
        stream.sync()

    lines = trace(do)
    assert [LINE.fullmatch(line)[1] for line in lines] == [
        "allocate_device_memory",
        "transfer_host2device",
        "invoke",
        "transfer_device2device",
        "record",
        "wait",
        "transfer_device2host",
        "sync",
        "sync",
        "deallocate_device_memory",
    ]
    array = r"<OffloadArray of float64, \(3,\) at 0x[0-9a-f]+>"
    assert re.search(rf"{array}, 3, 0.5\), grid=\(1\), block=\(64\)", lines[2])
    times = [float(line.split()[0]) for line in lines]
    assert times == sorted(times)


PROGRAM = """
import numpy as np
from ladder import offload
from polymask import contract
stream = offload.devices[0].get_default_stream()
stream.bind(np.ones(2))
stream.sync()
"""
HOST = {"POLYMASK_OFFLOAD_DEVICES": "host"}


@pytest.mark.parametrize(
    ("variables", "lines"),
    [({}, 0), ({"PYMIC_TRACE": "2"}, 4), ({"PYMIC_TRACE": "2", tracing.TRACE: "0"}, 0)],
)
def test_the_environment_sets_them(variables, lines):
    done = run("-c", PROGRAM, **HOST, **variables)
    assert done.returncode == 0, done.stderr
    assert len(done.stderr.splitlines()) == lines


def test_an_inner_call_without_events_records_nothing(stream):
    """A rung called without `events` begins and ends a record inside another one."""
    array, outer = stream.bind(np.ones(8)), {}
    with offload.recorded(outer, stream):
        array.update_device()
        with offload.recorded(None, stream):
            array.update_host()
        array.update_device()
    stream.sync()
    assert [name for name, _ in outer.values()] == ["to_device", "to_host", "to_device"]
