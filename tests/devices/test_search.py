"""The search for a device of any kind: the choice, and the remedy if none works."""

import sys
from types import SimpleNamespace

import pytest

from ladder import devices
from ladder.cli import doctor
from ladder.devices import cuda, intel, opencl, sycl
from ladder.devices.search import Search
from polymask import contract

SYCL, OPENCL = sycl.KIND, opencl.KIND
kinds = pytest.mark.parametrize("search", [OPENCL, SYCL], ids=["opencl", "sycl"])
EXTRAS = {
    "opencl": "pip install 'polymask[opencl]'",
    "sycl": "pip install 'polymask[sycl]'",
    "cuda": "pip install 'polymask[cuda]', for a driver of CUDA 13",
}


def fake(name, failure=""):
    return devices.Trial(devices.Device("P", "1", name, "2", "CPU", 1), f"0:{name}", failure)


@kinds
def test_the_first_working_device_unless_the_user_chooses(search, monkeypatch):
    trials = [fake("a", "no"), fake("b"), fake("c"), fake("d", "no")]
    assert search.works(trials).device.name == "b"
    monkeypatch.delenv(search.chooser, raising=False)
    with pytest.raises(contract.Unavailable, match=r"a: bad flags; and 1 more") as error:
        search.works([fake("a", "bad flags"), fake("b", "worse")])
    assert error.value.what_to_do == search.remedy()
    monkeypatch.setenv(search.chooser, "0:1")
    with pytest.raises(contract.Unavailable, match=f"{search.chooser}=0:1.*chooses.*unset it"):
        search.works([fake("a", "bad")])


@pytest.mark.parametrize(
    ("search", "system", "machine", "driver", "words"),
    [
        (OPENCL, "linux", "x86_64", None, "make opencl"),
        (OPENCL, "linux", "x86_64", "/lib/libintelocl.so", "pocl-opencl-icd"),
        (SYCL, "linux", "x86_64", None, EXTRAS["sycl"]),
        (SYCL, "linux", "x86_64", "/lib/libintelocl.so", "fails on this processor"),
        (SYCL, "darwin", "x86_64", None, "Linux on x86-64"),
    ],
)
def test_the_remedy_fits_the_machine(search, system, machine, driver, words, monkeypatch):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr(intel, "library", lambda: driver)
    monkeypatch.setattr(opencl, "unnamed_driver", lambda: None)
    assert words in search.remedy()
    assert "\n" not in search.remedy()


def test_the_remedy_names_a_driver_of_nvidia_that_no_file_names(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("ctypes.util.find_library", lambda name: f"lib{name}.so.1")
    monkeypatch.setattr(intel, "SYSTEM", tmp_path)
    command = f"mkdir -p {tmp_path} && echo libnvidia-opencl.so.1 > {tmp_path}/nvidia.icd"
    assert opencl.KIND.remedy().endswith(f"list NVIDIA's driver for OpenCL: {command}")
    (tmp_path / "nvidia.icd").write_text("libnvidia-opencl.so.1\n")
    assert "NVIDIA" not in opencl.KIND.remedy()


@pytest.mark.parametrize("name", EXTRAS)
@pytest.mark.parametrize("spec", [None, SimpleNamespace(origin=None)])  # pip left an empty folder
def test_without_its_package_the_extra_is_named(name, spec, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: spec)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(intel, "library", lambda: None)
    package = {"opencl": "pyopencl", "sycl": "dpctl", "cuda": "numba-cuda"}[name]
    with pytest.raises(contract.Unavailable, match=f"the package {package} is not installed"):
        devices.kind(name).survey()
    good, text = doctor.devices_of(name)
    assert not good
    expected = f"{devices.KINDS[name]}: the package {package} is not installed: {EXTRAS[name]}"
    assert text == expected


@pytest.mark.parametrize("search", [OPENCL, SYCL, cuda.KIND], ids=EXTRAS)
def test_a_device_that_goes_while_others_are_tried_is_passed_over(search, monkeypatch):
    item = {"device": dict.fromkeys(devices.Device.__dataclass_fields__, "") | {"compute_units": 1}}
    lists = iter([[item | {"choice": "0"}, item | {"choice": "1"}], [item | {"choice": "0"}]])
    monkeypatch.setattr(search, "run_trial", lambda number: (next(lists), "fails"))
    monkeypatch.setattr(search, "prepare", lambda: None)
    spec = SimpleNamespace(origin="package/__init__.py")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: spec)
    assert [trial.choice for trial in search.survey()] == ["0"]


class OutOfMemory(Exception):
    """An error of a device."""


def test_a_second_failure_is_reported_without_the_first():
    search = Search()
    search.gives_up = lambda error: isinstance(error, OutOfMemory)

    @search.or_unavailable
    def ask(bad):
        if bad:
            raise ValueError("bad input")
        try:
            raise OutOfMemory("no room")
        except OutOfMemory:
            raise RuntimeError("a library that hides it") from None

    with pytest.raises(contract.Unavailable, match=r"gives.*hides"):
        ask(bad=False)
    try:
        raise OutOfMemory("earlier")
    except OutOfMemory:
        with pytest.raises(ValueError, match="bad input"):
            ask(bad=True)
