"""OpenCL devices: what is told of one, that the answer is kept, and what may break a driver."""

import json

import pytest
from broken_driver import COMPILER
from fresh_python import run

from polymask import devices
from polymask.devices import opencl

# What is told of a device


def test_a_device_says_whether_it_is_the_processor():
    facts = {"platform": "P", "version": "1", "name": "N", "driver": "2", "compute_units": 3}
    assert devices.Device(type="CPU", **facts).is_cpu
    assert not devices.Device(type="GPU", **facts).is_cpu


def test_the_record_says_what_the_device_is(working):
    code = """
import dataclasses, json
from polymask.bench import machine
from polymask.ladder import registry
assert machine.chosen_devices() == {}
rung = registry.get("opencl.pixels")
rung.module()
assert machine.chosen_devices() == {}
rung.load()
print(json.dumps([dataclasses.asdict(machine.chosen_devices()["opencl"]), rung.threads()]))
"""
    done = run("-c", code)
    record, threads = json.loads(done.stdout)
    device = working[0].device
    assert record["name"] == device.name
    assert record["platform"] == device.platform
    assert record["type"] == device.type
    assert threads == (record["compute_units"] if device.is_cpu else 1)


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
