"""Devices are tried, not assumed, in a process that a driver may crash.

Preloaded libraries imitate drivers that crash or hang.
"""

import json
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from fresh_python import run

from ladder.devices import intel, opencl, trial_process
from ladder.registry import reference


def trial():
    """Import the module that the process runs, which needs PyOpenCL."""
    from ladder.devices import opencl_trial

    return opencl_trial


def test_the_mask_that_a_device_is_held_against_is_right():
    mask = reference.by_rule(trial_process.POLYGON, trial_process.SHAPE)
    assert np.packbits(mask, axis=1).tobytes() == trial_process.RIGHT
    assert trial_process.wrong_pixels(mask) == ""
    mask[3, 4] ^= 1
    assert trial_process.wrong_pixels(mask) == "it computes 1 of 960 pixels wrong"


def test_the_compilers_line_is_found():
    text = (
        "clBuildProgram failed: BUILD_PROGRAM_FAILURE - clBuildProgram failed\n\n"
        "Build on <pyopencl.Device 'cpu' on 'Portable Computing Language' at 0x1>:\n\n"
        "warning: unknown thing\nerror: unknown target CPU 'generic'\nDevice cpu failed to build\n"
        "\n(options: -I /a/b)"
    )
    pyopencl()
    assert trial().compiler_line(text) == "error: unknown target CPU 'generic'"
    assert trial().compiler_line("clCreateContext failed: OUT_OF_HOST_MEMORY") == ""


# Which devices are tried


def pyopencl():
    """Import PyOpenCL, or skip; pip may leave an empty folder of it."""
    module = pytest.importorskip("pyopencl")
    if module.__file__ is None:
        pytest.skip("pyopencl is not installed")
    return module


def listed_device(type_, double=63, platform="P"):
    platform = SimpleNamespace(name=platform)
    return SimpleNamespace(type=type_, double_fp_config=double, platform=platform)


@pytest.fixture
def listed(monkeypatch):
    """Return a function that lets PyOpenCL list devices."""
    monkeypatch.delenv("PYOPENCL_CTX", raising=False)
    return lambda **devices: monkeypatch.setattr(opencl, "listed", lambda: devices)


@pytest.mark.parametrize("library", ["/lib/libintelocl.so", None])
def test_a_gpu_is_tried_first_and_intels_runtime_of_the_index_last(library, listed, monkeypatch):
    """Installing it for SYCL does not change OpenCL's device; a system's own keeps its place."""
    kinds = pyopencl().device_type
    runtime, pocl = (listed_device(kinds.CPU, platform=name) for name in (intel.PLATFORM, "PoCL"))
    gpu = listed_device(kinds.GPU)
    listed(a=runtime, b=pocl, c=gpu)
    monkeypatch.setattr(intel, "library", lambda: library)
    devices = [device for _, device in trial().candidates()]
    assert devices == [gpu, *([pocl, runtime] if library else [runtime, pocl])]


def test_a_device_without_double_precision_fails_and_no_device_is_nothing_to_try(listed):
    device = listed_device(pyopencl().device_type.GPU, double=0)
    assert trial().fails(device) == "it does not compute in double precision"
    listed()
    with pytest.raises(trial_process.NoDevice, match=r"platform.*device"):
        trial().candidates()


# Trials in a separate process


def survey(**environment):
    """Try all devices; return the failure of each by its PYOPENCL_CTX, or why none exists."""
    code = """
import json, os
from polymask.contract import Unavailable
from ladder.devices import opencl
opencl.KIND.trial_s = float(os.environ.get('TRIAL_S', opencl.KIND.trial_s))
try:
    print(json.dumps({trial.choice: trial.failure for trial in opencl.survey()}))
except Unavailable as unavailable:
    print(json.dumps(str(unavailable)))
"""
    completed = run("-c", code, **environment)
    assert completed.returncode == 0, completed.stderr
    return json.loads(completed.stdout)


@pytest.mark.parametrize("choice", ["no such platform", "0:99"])
def test_nonsense_in_pyopencl_ctx_is_named(choice, working):
    message = survey(PYOPENCL_CTX=choice)
    assert message.startswith(f"PYOPENCL_CTX={choice} chooses no device here")
    assert "unset it" in message


def preload(tmp_path, body):
    """Build a library whose OpenCL call acts like a bad driver's; return a variable to load it."""
    if not shutil.which("cc") or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler, and LD_PRELOAD")
    source, library = tmp_path / "bad.c", tmp_path / "bad.so"
    source.write_text(f"#include <unistd.h>\n{body}\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library)}


def failures(working, tmp_path, body, **environment):
    """Return why each working device fails with such a driver."""
    results = survey(**preload(tmp_path, body), **environment)
    return [results[device.choice] for device in working]  # each was tried


@pytest.mark.parametrize(
    ("body", "pattern"),
    [
        # a crash does not spread to this process
        (
            "int clEnqueueNDRangeKernel(void) { return *(volatile int *)0; }",
            "driver crashed: .*fault",
        ),
        ("int clEnqueueNDRangeKernel(void) { for (;;) pause(); }", "gave no answer within 5 s"),
        # the launch is dropped: the buffer keeps its bytes, or the unset event crashes
        ("int clEnqueueNDRangeKernel(void) { return 0; }", "pixels wrong|driver crashed: .*fault"),
    ],
    ids=["crashes", "hangs", "drops"],
)
def test_a_device_with_a_bad_driver_fails_with_the_reason(working, tmp_path, body, pattern):
    for failure in failures(working, tmp_path, body, TRIAL_S="5"):
        assert re.search(pattern, failure)


def test_a_missing_driver_is_reported_with_its_remedy(working, tmp_path):
    body = "int clGetPlatformIDs(void) { return -1001; }"  # CL_PLATFORM_NOT_FOUND_KHR
    message = survey(**preload(tmp_path, body))
    assert message == f"OpenCL finds no driver here: {opencl.KIND.remedy()}"
