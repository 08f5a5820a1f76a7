"""Devices: numbers, equality, and their choice by an environment variable."""

import sys
import threading

import pytest

from ladder.offload import engines, kind
from ladder.offload.device_list import Devices
from polymask import contract

CHOICE = "POLYMASK_OFFLOAD_DEVICES"


def test_devices_are_numbered_from_the_host_on(monkeypatch):
    monkeypatch.delenv(CHOICE, raising=False)
    devices = Devices()
    assert list(devices) == list(range(len(devices)))
    assert devices[0].engine.name == "host"
    assert [devices[number].device_id for number in devices] == list(devices)
    assert len(devices) not in devices
    assert "host" not in devices
    with pytest.raises(KeyError):
        devices[len(devices)]
    assert "OffloadDevice(0, 'host')" in repr(devices)


def chosen(monkeypatch, names):
    monkeypatch.setenv(CHOICE, names)
    return Devices()


def test_the_environment_chooses_engines_and_their_order(monkeypatch, device):
    name = device.engine.name
    devices = chosen(monkeypatch, f"{name}, host")
    assert devices[0].engine.name == name
    assert devices[len(devices) - 1].engine.name == "host"
    assert {d.engine.name for d in devices.values()} == {name, "host"}


@pytest.mark.parametrize("names", ["phi", "host,phi", "host,", "Host"])
def test_an_unknown_engine_is_named_each_time(monkeypatch, names):
    devices = chosen(monkeypatch, names)
    for _ in range(2):
        with pytest.raises(contract.BadSetting, match=rf"{CHOICE} names engines, host, opencl"):
            len(devices)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "the package cupy is not installed"),
        ("import os\nos.no_such_name", "the package cupy cannot be imported (AttributeError: mod"),
        ("import no_such_module", "cannot be imported (ModuleNotFoundError: No module named 'no"),
    ],
)
def test_a_cupy_that_cannot_be_imported_is_no_device_and_no_traceback(
    text, reason, tmp_path, monkeypatch
):
    """It searches for system libraries while it is imported."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "cupy"]:
        monkeypatch.delitem(sys.modules, name)
    if text is None:
        monkeypatch.setitem(sys.modules, "cupy", None)
    else:
        (tmp_path / "cupy.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(contract.Unavailable) as raised:
        engines.engine("cuda").count()
    assert reason in str(raised.value)
    assert "\n" not in str(raised.value)
    monkeypatch.delenv(CHOICE, raising=False)
    assert "cuda" not in {device.engine.name for device in Devices().values()}
    with pytest.raises(contract.BadSetting, match=r"device.*cupy"):
        len(chosen(monkeypatch, "host,cuda"))


def test_two_threads_may_ask_for_devices_at_once(monkeypatch):
    """Finding one may take a second: meanwhile no thread gets a partial list."""
    both, entered = threading.Barrier(2), threading.Event()
    real = engines.engine

    def slow(name):
        entered.set()
        return real(name)

    monkeypatch.setattr("ladder.offload.device_list.engine", slow)
    devices = chosen(monkeypatch, "host,host,host")
    counts = []

    def ask():
        both.wait()
        counts.append(len(devices))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert entered.is_set()
    assert counts == [3, 3]
    assert [devices[number].device_id for number in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("error", [ImportError("older than its source"), KeyError(0)])
def test_rungs_are_unavailable_where_no_engine_can_be_imported(monkeypatch, error):
    """A stale or missing module is reported as for other rungs, with what to do."""

    class Broken:
        def __getitem__(self, number):
            raise error

    monkeypatch.setattr(kind, "devices", Broken())
    with pytest.raises(contract.Unavailable, match=r"older than|run `make build`"):
        kind.KIND.check()
