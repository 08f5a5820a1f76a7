"""OpenCL devices: their description, the kept answer, and variables that break a driver."""

import json

import pytest
from broken_driver import COMPILER
from fresh_python import run

# The description of a device


def test_the_record_says_what_the_device_is(working):
    code = """
import dataclasses, json
from ladder.bench import machine
from ladder import registry
assert machine.chosen_devices() == {}
rung = registry.get("opencl.pixels")
rung.module()
assert machine.chosen_devices() == {}
rung.load()
print(json.dumps([dataclasses.asdict(machine.chosen_devices()["opencl"]), rung.threads()]))
"""
    completed = run("-c", code)
    record, threads = json.loads(completed.stdout)
    device = working[0].device
    assert record["name"] == device.name
    assert record["platform"] == device.platform
    assert record["type"] == device.type
    assert threads == (record["compute_units"] if device.is_cpu else 1)


# The kept answer


@pytest.mark.slow
def test_children_inherit_the_answer_and_try_again_only_if_drivers_get_other_variables(working):
    child = """
from ladder.devices import opencl
def count_calls(function):
    def wrapper(*arguments):
        wrapper.calls += 1
        return function(*arguments)
    wrapper.calls = 0
    return wrapper
opencl.KIND.run_trial = count_calls(opencl.KIND.run_trial)
opencl.device()
print(opencl.KIND.run_trial.calls)
"""
    parent = f"""
import os, subprocess, sys
code = {child!r}
exec(code)
sys.stdout.flush()
subprocess.run([sys.executable, "-c", code], check=True)
subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {{"POCL_NEW": "1"}})
"""
    completed = run("-c", parent)
    first, inherited, changed = map(int, completed.stdout.split())
    assert first >= 1, completed.stderr  # more if a failing device is listed first
    assert (inherited, changed) == (0, first), completed.stderr


def test_a_failure_is_kept_too(only_pocl):
    code = """
from ladder import registry
from ladder.devices import opencl
trials, run_trial = [], opencl.KIND.run_trial
opencl.KIND.run_trial = lambda *arguments: trials.append(1) or run_trial(*arguments)
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
