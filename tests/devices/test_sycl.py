"""SYCL devices: found without any setting, tried, and without effect on PyOpenCL."""

import json
from types import SimpleNamespace

import pytest
from fresh_python import run

from ladder import devices
from ladder.devices import sycl, trial_process
from polymask import contract

needs_sycl = pytest.mark.extra("sycl")


@pytest.fixture(scope="module")
def working():
    """The devices that work here; skip where none does."""
    try:
        trials = sycl.KIND.survey()
        sycl.KIND.works(trials)
    except contract.Unavailable as error:
        pytest.skip(str(error))
    return [trial for trial in trials if not trial.failure]


def test_the_times_of_events_are_seconds_since_the_first_was_submitted():
    def event(submit, start, end):
        times = {"submit": submit, "start": start, "end": end}
        return SimpleNamespace(**{f"profiling_info_{name}": t for name, t in times.items()})

    send, kernel = sycl.KIND.commands(
        {"to_device": event(1000, 3000, 4000), "kernel": event(2000, 5000, 9000)}
    )
    assert (send.name, kernel.name) == ("to_device", "kernel")
    assert (kernel.queued, kernel.submit) == pytest.approx((1e-6, 1e-6))
    assert (kernel.start, kernel.end) == pytest.approx((4e-6, 8e-6))
    assert devices.kernel_s([send, kernel]) == pytest.approx(4e-6)
    assert sycl.KIND.commands({}) == []


def test_the_time_between_two_events_is_a_command():
    first = SimpleNamespace(profiling_info_submit=1000, profiling_info_end=2000)
    (kernel,) = sycl.KIND.commands(
        {"kernel": sycl.Between(first, SimpleNamespace(profiling_info_start=9000))}
    )
    assert kernel.ran == pytest.approx(7e-6)
    assert kernel.start == pytest.approx(1e-6)


# The devices of this machine


@needs_sycl
def test_the_device_is_found_with_nothing_set_and_nothing_stays_set(working):
    """Child processes and PyOpenCL would inherit a variable."""
    code = """
import json, os
from ladder import registry
before = dict(os.environ)
registry.get("sycl.kernel").load()([(1, 1), (8, 2), (4, 7)], (9, 12))
added = {name for name in os.environ if os.environ[name] != before.get(name)}
print(json.dumps([sorted(added), before.keys() <= os.environ.keys()]))
"""
    completed = run("-c", code)
    assert json.loads(completed.stdout) == [[sycl.KIND.answer_variable], True], completed.stderr


@needs_sycl
def test_denormals_are_kept_before_and_after_the_import_and_on_the_device(working):
    code = """
import numpy as np
from ladder.bench import machine
from ladder import registry
from ladder.registry import reference
assert not machine.flushes_to_zero()
make_mask = registry.get("sycl.kernel").load()
assert not machine.flushes_to_zero()
tiny = 5e-324
vertices = [(0, tiny), (9, 3 * tiny), (9, 8), (0, 8)]
for memory in "device", "shared", "host":
    mask = make_mask(vertices, (9, 12), memory=memory)
    assert not machine.flushes_to_zero()
    assert np.array_equal(mask, reference.by_rule(vertices, (9, 12)))
print("kept")
"""
    completed = run("-c", code)
    assert completed.stdout == "kept\n", completed.stderr


@needs_sycl
def test_a_choice_without_a_device_is_unavailable(working):
    code = """
from polymask.contract import Unavailable
from ladder.devices import sycl
try:
    sycl.KIND.check()
except Unavailable as unavailable:
    print(unavailable)
"""
    completed = run("-c", code, **{sycl.KIND.chooser: "opencl:99"})
    message = f"{sycl.KIND.chooser}=opencl:99 chooses no device here: "
    assert completed.stdout.startswith(message), completed


@needs_sycl
@pytest.mark.parametrize(
    ("aspects", "why"),
    [
        ({"fp64": False, "usm_shared_allocations": True}, "double precision"),
        ({"fp64": True, "usm_shared_allocations": False}, "shares no memory with the host"),
    ],
)
def test_a_device_without_an_aspect_fails(aspects, why):
    trial = pytest.importorskip("ladder.devices.sycl_trial", exc_type=ImportError)
    assert why in trial.fails(SimpleNamespace(**{f"has_aspect_{k}": v for k, v in aspects.items()}))


@needs_sycl
def test_a_missing_device_is_reported(monkeypatch):
    trial = pytest.importorskip("ladder.devices.sycl_trial", exc_type=ImportError)
    monkeypatch.delenv(sycl.KIND.chooser, raising=False)
    monkeypatch.setattr(sycl.KIND, "listed", dict)
    with pytest.raises(trial_process.NoDevice, match="SYCL finds no device here"):
        trial.candidates()
