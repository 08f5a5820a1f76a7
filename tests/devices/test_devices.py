"""Devices: what is told of one, which is taken, and what to do where none works."""

import json
import sys
from types import SimpleNamespace

import pytest
from broken_driver import COMPILER
from cases import says
from checkouts import ROOT
from fresh_python import run

from polymask import contract, devices
from polymask.cli import doctor
from polymask.devices import intel, opencl
from polymask.devices.search import Search

# What is told of a device


def test_a_device_says_whether_it_is_the_processor():
    facts = {"platform": "P", "version": "1", "name": "N", "driver": "2", "compute_units": 3}
    assert devices.Device(type="CPU", **facts).is_cpu
    assert not devices.Device(type="GPU", **facts).is_cpu


class OutOfMemory(Exception):
    """What a device says."""


def test_who_tries_again_after_a_failure_hears_of_the_new_one_alone():
    def gives_up(error):
        return isinstance(error, OutOfMemory)

    def ask(bad):
        if bad:
            raise ValueError("bad input")
        try:
            raise OutOfMemory("no room")
        except OutOfMemory:
            raise RuntimeError("a library that hides it") from None

    search = Search()
    search.gives_up = gives_up
    ask = search.or_unavailable(ask)
    with pytest.raises(contract.Unavailable, match=r"gives.*hides"):
        ask(bad=False)
    try:
        raise OutOfMemory("earlier")
    except OutOfMemory:
        with pytest.raises(ValueError, match="bad input"):
            ask(bad=True)


def test_the_record_says_what_the_device_is(working):
    code = """
import dataclasses, json
from polymask.bench import machine
from polymask.ladder import registry
assert machine.devices_taken() == {}
rung = registry.get("opencl.pixels")
rung.module()
assert machine.devices_taken() == {}
rung.load()
print(json.dumps([dataclasses.asdict(machine.devices_taken()["opencl"]), rung.threads()]))
"""
    done = run("-c", code)
    record, threads = json.loads(done.stdout)
    device = working[0].device
    assert record["name"] == device.name
    assert record["platform"] == device.platform
    assert record["type"] == device.type
    assert threads == (record["compute_units"] if device.is_cpu else 1)


# Choosing


def fake(name, type_="CPU", failure=""):
    device = devices.Device("P", "1", name, "2", type_, 1)
    return devices.Tried(device, f"0:{name}", failure)


def test_the_first_that_works_is_taken():
    tried = [fake("a", failure="no"), fake("b"), fake("c"), fake("d", failure="no")]
    assert opencl.works(tried).device.name == "b"


def test_where_none_works_the_first_one_s_reason_is_told(monkeypatch):
    monkeypatch.delenv("PYOPENCL_CTX", raising=False)
    with pytest.raises(contract.Unavailable, match=r"a: bad flags; and 1 more") as raised:
        opencl.works([fake("a", failure="bad flags"), fake("b", failure="worse")])
    assert raised.value.what_to_do == opencl.search.remedy()


def test_a_choice_of_the_user_is_obeyed_and_named(monkeypatch):
    monkeypatch.setenv("PYOPENCL_CTX", "0:1")
    with pytest.raises(contract.Unavailable, match=r"PYOPENCL_CTX=0:1.*chooses") as raised:
        opencl.works([fake("a", failure="bad")])
    assert "unset it" in raised.value.what_to_do


@pytest.mark.parametrize(
    ("system", "machine", "there", "words"),
    [
        ("linux", "x86_64", None, "make opencl"),
        ("linux", "x86_64", "/lib/libintelocl.so", "pocl-opencl-icd"),
        ("linux", "aarch64", None, "pocl-opencl-icd"),
        ("darwin", "arm64", None, "driver"),
    ],
)
def test_the_remedy_fits_the_machine(system, machine, there, words, monkeypatch):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setattr(intel, "library", lambda: there)
    monkeypatch.setattr(opencl, "ROOT", ROOT)
    assert words in opencl.search.remedy()
    assert "\n" not in opencl.search.remedy()


def test_without_a_checkout_the_remedy_is_an_extra(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(intel, "library", lambda: None)
    monkeypatch.setattr(opencl, "ROOT", tmp_path)
    assert "pip install 'polymask[opencl-intel]'" in opencl.search.remedy()


def test_without_pyopencl_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    with pytest.raises(contract.Unavailable, match=r"pip install 'polymask\[opencl\]'"):
        opencl.survey()
    good, text = doctor.devices_of("opencl")
    assert not good
    assert says(text, "package", "installed")


# The answer is kept


@pytest.mark.slow
def test_children_inherit_the_answer_and_try_again_only_if_drivers_are_told_otherwise(working):
    counted = """
from polymask.devices import opencl
def counting(function):
    def counted(*arguments):
        counted.calls += 1
        return function(*arguments)
    counted.calls = 0
    return counted
opencl.search.run_trial = counting(opencl.search.run_trial)
opencl.device()
print(opencl.search.run_trial.calls)
"""
    parent = f"""
import os, subprocess, sys
code = {counted!r}
exec(code)
sys.stdout.flush()
subprocess.run([sys.executable, "-c", code], check=True)
subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {{"POCL_NEW": "1"}})
"""
    done = run("-c", parent)
    first, again, told_otherwise = map(int, done.stdout.split())
    assert first >= 1, done.stderr  # more where a device that fails is listed before
    assert (again, told_otherwise) == (0, first), done.stderr


def test_a_failure_is_kept_too(only_pocl):
    code = """
from polymask.ladder import registry
from polymask.devices import opencl
trials, run_trial = [], opencl.search.run_trial
opencl.search.run_trial = lambda *arguments: trials.append(1) or run_trial(*arguments)
for key in ("opencl.pixels", "scanline.opencl", "opencl.pixels"):
    try:
        registry.get(key).load()
    except registry.Unavailable as unavailable:
        print(unavailable)
print(len(trials))
"""
    lines = run("-c", code, **only_pocl).stdout.splitlines()
    assert len(lines) == 4
    assert all(COMPILER in line for line in lines[:3])
    assert lines[3] == "1"


# `make opencl` ends by this


@pytest.mark.slow
def test_the_module_says_whether_a_device_works(working, only_pocl):
    done = run("-m", "polymask.devices", "opencl")
    assert done.returncode == 0, done.stderr
    assert "works" in done.stdout
    done = run("-m", "polymask.devices", "opencl", **only_pocl)
    assert done.returncode == 1
    assert f"fails: {COMPILER}" in done.stdout


def test_an_empty_folder_that_pip_left_is_no_pyopencl(monkeypatch):
    left = SimpleNamespace(origin=None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: left)
    with pytest.raises(contract.Unavailable, match=r"package.*installed"):
        opencl.survey()


def test_variables_that_break_a_driver_are_named_in_what_to_do(tmp_path, monkeypatch):
    for name in opencl.steering():
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "unset" not in opencl.search.remedy()
    for name in "POCL_EXTRA_BUILD_FLAGS", "POCL_DEVICES", "PYOPENCL_BUILD_OPTIONS":
        monkeypatch.setenv(name, "--no-such")
        assert opencl.search.remedy().startswith(f"unset {name}, or ")
        monkeypatch.delenv(name)
    monkeypatch.setenv("OCL_ICD_VENDORS", "/nowhere")
    monkeypatch.setenv("XDG_CACHE_HOME", __file__)
    assert opencl.search.remedy().startswith("unset OCL_ICD_VENDORS XDG_CACHE_HOME, or ")
