"""The search for a device, whatever its kind: which is taken, and what to do where none works."""

import sys
from types import SimpleNamespace

import pytest
from checkouts import ROOT

from polymask import contract, devices
from polymask.cli import doctor
from polymask.devices import cuda, intel, opencl, sycl
from polymask.devices.search import Search

SYCL, OPENCL = sycl.search, opencl.search
kinds = pytest.mark.parametrize("search", [OPENCL, SYCL], ids=["opencl", "sycl"])
EXTRAS = {
    "opencl": "pip install 'polymask[opencl]'",
    "sycl": "pip install 'polymask[sycl]'",
    "cuda": "pip install 'polymask[cuda]', for a driver of CUDA 13",
}


def fake(name, failure=""):
    return devices.Trial(devices.Device("P", "1", name, "2", "CPU", 1), f"0:{name}", failure)


@kinds
def test_the_first_that_works_is_taken(search):
    tried = [fake("a", "no"), fake("b"), fake("c"), fake("d", "no")]
    assert search.works(tried).device.name == "b"


@kinds
def test_where_none_works_the_first_one_s_reason_is_told(search, monkeypatch):
    monkeypatch.delenv(search.chooser, raising=False)
    with pytest.raises(contract.Unavailable, match=r"a: bad flags; and 1 more") as raised:
        search.works([fake("a", "bad flags"), fake("b", "worse")])
    assert raised.value.what_to_do == search.remedy()


@kinds
def test_a_choice_of_the_user_is_obeyed_and_named(search, monkeypatch):
    monkeypatch.setenv(search.chooser, "0:1")
    with pytest.raises(contract.Unavailable, match=f"{search.chooser}=0:1.*chooses") as raised:
        search.works([fake("a", "bad")])
    assert "unset it" in raised.value.what_to_do


@pytest.mark.parametrize(
    ("search", "system", "machine", "there", "words"),
    [
        (OPENCL, "linux", "x86_64", None, "make opencl"),
        (OPENCL, "linux", "x86_64", "/lib/libintelocl.so", "pocl-opencl-icd"),
        (OPENCL, "linux", "aarch64", None, "pocl-opencl-icd"),
        (OPENCL, "darwin", "arm64", None, "driver"),
        (SYCL, "linux", "x86_64", None, EXTRAS["sycl"]),
        (SYCL, "linux", "x86_64", "/lib/libintelocl.so", "fails on this processor"),
        (SYCL, "linux", "aarch64", None, "Linux on x86-64"),
        (SYCL, "darwin", "x86_64", None, "Linux on x86-64"),
    ],
)
def test_the_remedy_fits_the_machine(search, system, machine, there, words, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr(intel, "library", lambda: there)
    monkeypatch.setattr(opencl, "unnamed_driver", lambda: None)
    monkeypatch.setattr(opencl, "ROOT", ROOT)
    assert words in search.remedy()
    assert "\n" not in search.remedy()
    monkeypatch.setattr(opencl, "ROOT", tmp_path)  # no checkout
    if words == "make opencl":
        assert "pip install 'polymask[opencl-intel]'" in search.remedy()


def test_a_driver_of_nvidia_that_no_file_names_is_to_be_named(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("ctypes.util.find_library", lambda name: f"lib{name}.so.1")
    monkeypatch.setattr(intel, "SYSTEM", tmp_path)
    told = f"mkdir -p {tmp_path} && echo libnvidia-opencl.so.1 > {tmp_path}/nvidia.icd"
    assert opencl.search.remedy().endswith(f"list NVIDIA's driver for OpenCL: {told}")
    (tmp_path / "nvidia.icd").write_text("libnvidia-opencl.so.1\n")
    assert "NVIDIA" not in opencl.search.remedy()


@pytest.mark.parametrize("empty", [False, True], ids=["none", "an empty folder that pip left"])
@pytest.mark.parametrize("name", EXTRAS)
@pytest.mark.parametrize("runtime", [None, "/lib/libintelocl.so"])
def test_without_its_package_the_extra_is_named(name, empty, runtime, monkeypatch):
    """Be Intel's runtime there or not: another extra has brought it."""
    found = SimpleNamespace(origin=None) if empty else None
    monkeypatch.setattr("importlib.util.find_spec", lambda name: found)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(intel, "library", lambda: runtime)
    package = {"opencl": "pyopencl", "sycl": "dpctl", "cuda": "numba-cuda"}[name]
    with pytest.raises(contract.Unavailable, match=f"the package {package} is not installed"):
        devices.kind(name).survey()
    good, text = doctor.devices_of(name)
    assert not good
    told = f"{devices.KINDS[name]}: the package {package} is not installed: {EXTRAS[name]}"
    assert text == told


@pytest.mark.parametrize("search", [OPENCL, SYCL, cuda.search], ids=EXTRAS)
def test_a_device_that_goes_while_others_are_tried_is_passed_over(search, monkeypatch):
    one = {"device": dict.fromkeys(devices.Device.__dataclass_fields__, "") | {"compute_units": 1}}
    lists = iter([[one | {"choice": "0"}, one | {"choice": "1"}], [one | {"choice": "0"}]])
    monkeypatch.setattr(search, "run_trial", lambda number: (next(lists), "fails"))
    monkeypatch.setattr(search, "prepare", lambda: None)
    there = SimpleNamespace(origin="package/__init__.py")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: there)
    assert [tried.choice for tried in search.survey()] == ["0"]


class OutOfMemory(Exception):
    """What a device says."""


def test_who_tries_again_after_a_failure_hears_of_the_new_one_alone():
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
