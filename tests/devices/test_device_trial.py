"""Devices are tried, not assumed, in a process that a driver may crash.

Drivers that crash or hang are made by libraries that are loaded before them.
"""

import json
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from broken_driver import BROKEN, COMPILER
from cases import says
from fresh_python import run

from polymask.devices import intel, opencl, trial_process
from polymask.ladder import reference

# What PyOpenCL says of a failed build


def trial():
    """The module that the process runs: it needs PyOpenCL, and is imported where that is."""
    from polymask.devices import opencl_trial

    return opencl_trial


def test_the_mask_that_a_device_is_held_against_is_right(snapshot):
    right = reference.by_rule(trial_process.POLYGON, trial_process.SHAPE)
    assert np.packbits(right, axis=1).tobytes() == trial_process.RIGHT
    assert trial_process.wrong_pixels(right) == ""
    right[3, 4] ^= 1
    assert trial_process.wrong_pixels(right) == snapshot


def test_the_compilers_line_is_found(snapshot):
    text = (
        "clBuildProgram failed: BUILD_PROGRAM_FAILURE - clBuildProgram failed\n\n"
        "Build on <pyopencl.Device 'cpu' on 'Portable Computing Language' at 0x1>:\n\n"
        "warning: unknown thing\nerror: unknown target CPU 'generic'\nDevice cpu failed to build\n"
        "\n(options: -I /a/b)"
    )
    pyopencl()
    assert trial().compiler_line(text) == snapshot


def test_another_error_has_no_compilers_line():
    pyopencl()
    assert trial().compiler_line("clCreateContext failed: OUT_OF_HOST_MEMORY") == ""


# Which devices are tried


def pyopencl():
    """PyOpenCL, where it is installed; pip may leave an empty folder of it."""
    module = pytest.importorskip("pyopencl")
    if module.__file__ is None:
        pytest.skip("pyopencl is not installed")
    return module


def listed_device(type_, double=63, platform="P"):
    platform = SimpleNamespace(name=platform)
    return SimpleNamespace(type=type_, double_fp_config=double, platform=platform)


def test_a_gpu_is_tried_before_a_cpu(monkeypatch):
    cl = pyopencl()
    cpu, gpu = (listed_device(type_) for type_ in (cl.device_type.CPU, cl.device_type.GPU))
    monkeypatch.delenv("PYOPENCL_CTX", raising=False)
    monkeypatch.setattr(opencl, "listed", lambda: {"0:0": cpu, "1:0": gpu})
    assert trial().candidates() == [("1:0", gpu), ("0:0", cpu)]


@pytest.mark.parametrize("there", ["/lib/libintelocl.so", None])
def test_intels_runtime_of_the_index_is_tried_last(there, monkeypatch):
    """Whoever installs it for SYCL keeps the device of OpenCL; a system's own keeps its place."""
    cl = pyopencl()
    runtime, pocl = (
        listed_device(cl.device_type.CPU, platform=name) for name in (intel.PLATFORM, "PoCL")
    )
    monkeypatch.delenv("PYOPENCL_CTX", raising=False)
    monkeypatch.setattr(opencl, "listed", lambda: {"0:0": runtime, "1:0": pocl})
    monkeypatch.setattr(intel, "library", lambda: there)
    devices = [device for _, device in trial().candidates()]
    assert devices == ([pocl, runtime] if there else [runtime, pocl])


def test_a_device_without_double_precision_fails(snapshot):
    cl = pyopencl()
    device = listed_device(cl.device_type.GPU, double=0)
    assert trial().fails(device) == snapshot


def test_platforms_without_a_device_are_nothing_to_try(monkeypatch):
    pyopencl()
    monkeypatch.delenv("PYOPENCL_CTX", raising=False)
    monkeypatch.setattr(opencl, "listed", dict)
    with pytest.raises(trial_process.NoDevice, match=r"platform.*device"):
        trial().candidates()


# Trying, in a process of its own


def survey(**environment):
    """Try all devices; return why each fails, by its PYOPENCL_CTX, or why there is none."""
    code = """
import json, os
from polymask.contract import Unavailable
from polymask.devices import opencl
opencl.search.trial_s = float(os.environ.get('TRIAL_S', opencl.search.trial_s))
try:
    print(json.dumps({one.choice: one.failure for one in opencl.survey()}))
except Unavailable as unavailable:
    print(json.dumps(str(unavailable)))
"""
    done = run("-c", code, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_a_device_that_cannot_build_fails_in_the_compilers_words(only_pocl):
    assert COMPILER in survey(**only_pocl).values()


def test_where_pocl_fails_another_device_is_taken(only_pocl):
    if "PYOPENCL_CTX" not in only_pocl:
        pytest.skip("PoCL is the only device")
    done = run("-m", "polymask", "run", "opencl.pixels", "--size", 30, **BROKEN)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("choice", ["no such platform", "0:99"])
def test_nonsense_in_pyopencl_ctx_is_named(choice, working):
    said = survey(PYOPENCL_CTX=choice)
    assert said.startswith(f"PYOPENCL_CTX={choice} chooses no device here")
    assert "unset it" in said


@pytest.mark.slow
def test_pyopencl_ctx_is_obeyed_and_never_asks_on_a_terminal(working):
    for one in working:
        assert survey(PYOPENCL_CTX=one.choice) == {one.choice: ""}
    assert survey(PYOPENCL_CTX="")  # as if it were not set


def preloaded(tmp_path, body):
    """Build a library in which a call of OpenCL does what a bad driver would."""
    if not shutil.which("cc") or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler, and LD_PRELOAD")
    source, library = tmp_path / "bad.c", tmp_path / "bad.so"
    source.write_text(f"#include <unistd.h>\n{body}\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library)}


def failures(working, tmp_path, body, **environment):
    """Return why each device fails with such a driver that else works."""
    said = survey(**preloaded(tmp_path, body), **environment)
    return [said[one.choice] for one in working]  # each had its turn


@pytest.mark.parametrize(
    ("body", "told"),
    [
        # what crashes takes nothing with it
        (
            "int clEnqueueNDRangeKernel(void) { return *(volatile int *)0; }",
            "driver crashed: .*fault",
        ),
        # what ends the process is named by its last words
        (
            'int clEnqueueNDRangeKernel(void) { write(2, "no licence\\n", 11); _exit(3); }',
            r"the driver ended the process with code 3 \(no licence\)",
        ),
        # the launch is dropped: the buffer keeps its bytes, or the event, which is not set, crashes
        ("int clEnqueueNDRangeKernel(void) { return 0; }", "pixels wrong|driver crashed: .*fault"),
        # what is printed is no answer
        ('int clReleaseKernel(void) { return write(1, "{hello}\\n", 8) < 0; }', "^$"),
    ],
    ids=["crashes", "ends", "drops", "prints"],
)
def test_a_device_with_a_bad_driver_fails_with_the_reason(working, tmp_path, body, told):
    for failure in failures(working, tmp_path, body):
        assert re.search(told, failure)


@pytest.mark.slow
def test_a_driver_that_hangs_is_given_up(working, tmp_path):
    body = "int clEnqueueNDRangeKernel(void) { for (;;) pause(); }"
    for failure in failures(working, tmp_path, body, TRIAL_S="5"):
        assert failure == "the driver gave no answer within 5 s"


def test_no_driver_at_all_is_said_with_what_to_do(working, tmp_path):
    body = "int clGetPlatformIDs(void) { return -1001; }"  # CL_PLATFORM_NOT_FOUND_KHR
    told = survey(**preloaded(tmp_path, body))
    assert told == f"OpenCL finds no driver here: {opencl.search.remedy()}"


def test_drivers_that_crash_when_they_are_listed_are_no_end(working, tmp_path):
    said = survey(
        **preloaded(tmp_path, "int clGetPlatformIDs(void) { return *(volatile int *)0; }")
    )
    assert says(said, "devices", "fault")
