"""Devices are tried, not assumed: what a broken driver does to rungs, commands and exercises.

PoCL refuses every build if POCL_EXTRA_BUILD_FLAGS is nonsense, as it does on a processor that it
does not know. Drivers that crash or hang are made by libraries that are loaded before them.
"""

import json
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from polymask import contract, devices
from polymask.cli import doctor
from polymask.devices import intel, opencl
from polymask.workshop import exercises, folder

BROKEN = {"POCL_EXTRA_BUILD_FLAGS": "-nonsense"}
COMPILER = "Invalid build option: -nonsense"  # PoCL's own words


def run(*arguments, cwd=None, **environment):
    """Run Python in a process that inherits no answer."""
    inherited = {name: value for name, value in os.environ.items() if name != opencl.ANSWER}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd,
        env=inherited | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.fixture(scope="module")
def working():
    """The devices that work here; skip where none does."""
    try:
        tried = opencl.survey()
        opencl.works(tried)
    except contract.Unavailable as unavailable:
        pytest.skip(str(unavailable))
    return [one for one in tried if not one.failure]


@pytest.fixture
def only_pocl(working):
    """Variables with which the only device is PoCL's, and cannot build; skip where it is not."""
    pocl = [one.choice for one in working if "PoCL" in one.device.version]
    if not pocl:
        pytest.skip("no PoCL to break")
    others = len(working) > len(pocl) or len(pocl) > 1
    return BROKEN | ({"PYOPENCL_CTX": pocl[0]} if others else {})


# What is told of a device


def test_a_device_says_whether_it_is_the_processor():
    facts = {"platform": "P", "version": "1", "name": "N", "driver": "2", "compute_units": 3}
    assert devices.Device(type="CPU", **facts).is_cpu
    assert not devices.Device(type="GPU", **facts).is_cpu


def test_the_record_says_what_the_device_is(working):
    code = """
import json
from polymask.bench import machine
assert machine.opencl_device() is None
from polymask.opencl import pixels
assert machine.opencl_device() is None
pixels.check()
print(json.dumps([machine.opencl_device(), pixels.threads_used()]))
"""
    done = run("-c", code)
    record, threads = json.loads(done.stdout)
    device = working[0].device
    assert record["device"] == device.name
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
    assert raised.value.what_to_do == opencl.remedy()


def test_a_choice_of_the_user_is_obeyed_and_named(monkeypatch):
    monkeypatch.setenv("PYOPENCL_CTX", "0:1")
    with pytest.raises(contract.Unavailable, match=r"PYOPENCL_CTX=0:1 chooses .* a: bad") as raised:
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
    monkeypatch.setattr(opencl, "ROOT", Path(__file__).parent.parent)
    assert words in opencl.remedy()
    assert "\n" not in opencl.remedy()


def test_without_a_checkout_the_remedy_is_an_extra(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(intel, "library", lambda: None)
    monkeypatch.setattr(opencl, "ROOT", tmp_path)
    assert "pip install 'polymask[opencl-intel]'" in opencl.remedy()


# Intel's runtime, which no loader knows of


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    """A driver of Intel's, and a system with another one."""
    system = tmp_path / "system"
    system.mkdir()
    (system / "other.icd").write_text("libother.so\n")
    monkeypatch.setattr(intel, "SYSTEM", system)
    monkeypatch.setattr(intel, "library", lambda: tmp_path / "libintelocl.so")
    monkeypatch.delenv(intel.VARIABLE, raising=False)
    return tmp_path


def shown():
    """What a loader that reads its folder now would find."""
    folder = Path(os.environ[intel.VARIABLE])
    return {file.name: file.read_text().strip() for file in folder.iterdir()}


def test_a_loader_is_shown_intels_driver_beside_the_systems(runtime):
    with intel.listed():
        folder = Path(os.environ[intel.VARIABLE])
        assert shown() == {
            "other.icd": "libother.so",
            "polymask-intel.icd": str(runtime / "libintelocl.so"),
        }
    assert intel.VARIABLE not in os.environ  # and nothing is left behind
    assert not folder.exists()


def test_a_folder_of_the_users_is_kept(runtime, monkeypatch):
    own = runtime / "own"
    own.mkdir()
    (own / "mine.icd").write_text("libmine.so\n")
    monkeypatch.setenv(intel.VARIABLE, str(own))
    with intel.listed():
        assert set(shown()) == {"mine.icd", "polymask-intel.icd"}
    assert os.environ[intel.VARIABLE] == str(own)


def test_a_single_driver_of_the_users_is_all_that_is_shown(runtime, monkeypatch):
    monkeypatch.setenv(intel.VARIABLE, "libmine.so")
    with intel.listed():
        assert os.environ[intel.VARIABLE] == "libmine.so"


def test_without_intels_packages_nothing_is_changed(runtime, monkeypatch):
    monkeypatch.setattr(intel, "library", lambda: None)
    with intel.listed():
        assert intel.VARIABLE not in os.environ


@pytest.mark.parametrize("missing", [None, *intel.PACKAGES])
def test_the_driver_counts_only_with_the_libraries_it_needs(missing, tmp_path, monkeypatch):
    """What pip wrote: files relative to its folder, the driver in another one."""

    def files(package):
        if package == missing:
            raise metadata.PackageNotFoundError(package)
        path = tmp_path / intel.PACKAGES[package]
        path.touch()
        return [SimpleNamespace(name=path.name, locate=lambda: path)]

    monkeypatch.setattr(metadata, "files", files)
    expected = None if missing else (tmp_path / "libintelocl.so").resolve()
    assert intel.library() == expected


# What PyOpenCL says of a failed build


def trial():
    """The module that the process runs: it needs PyOpenCL, and is imported where that is."""
    from polymask.devices import trial

    return trial


def test_the_compilers_line_is_found():
    text = (
        "clBuildProgram failed: BUILD_PROGRAM_FAILURE - clBuildProgram failed\n\n"
        "Build on <pyopencl.Device 'cpu' on 'Portable Computing Language' at 0x1>:\n\n"
        "warning: unknown thing\nerror: unknown target CPU 'generic'\nDevice cpu failed to build\n"
        "\n(options: -I /a/b)"
    )
    pyopencl()
    assert trial().compiler_says(text) == "error: unknown target CPU 'generic'"


def test_another_error_has_no_compilers_line():
    pyopencl()
    assert trial().compiler_says("clCreateContext failed: OUT_OF_HOST_MEMORY") == ""


# Which devices are tried


def pyopencl():
    """PyOpenCL, where it is installed; pip may leave an empty folder of it."""
    module = pytest.importorskip("pyopencl")
    if module.__file__ is None:
        pytest.skip("pyopencl is not installed")
    return module


def listed_device(type_, double=63):
    return SimpleNamespace(type=type_, double_fp_config=double)


def test_a_gpu_is_tried_before_a_cpu(monkeypatch):
    cl = pyopencl()
    cpu, gpu = (listed_device(type_) for type_ in (cl.device_type.CPU, cl.device_type.GPU))
    monkeypatch.delenv("PYOPENCL_CTX", raising=False)
    monkeypatch.setattr(opencl, "listed", lambda: {"0:0": cpu, "1:0": gpu})
    assert trial().candidates() == [gpu, cpu]


def test_a_device_without_double_precision_fails():
    cl = pyopencl()
    device = listed_device(cl.device_type.GPU, double=0)
    assert trial().fails(device) == "it does not compute in double precision"


def test_platforms_without_a_device_are_nothing_to_try(monkeypatch):
    pyopencl()
    monkeypatch.delenv("PYOPENCL_CTX", raising=False)
    monkeypatch.setattr(opencl, "listed", dict)
    with pytest.raises(LookupError, match="no platform lists a device"):
        trial().candidates()


def test_without_pyopencl_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    with pytest.raises(contract.Unavailable, match=r"pip install 'polymask\[opencl\]'"):
        opencl.survey()
    good, text = doctor.opencl()
    assert not good
    assert "the package pyopencl is not installed" in text


# Trying, in a process of its own


def survey(**environment):
    code = """
import json, os
from polymask.contract import Unavailable
from polymask.devices import opencl
opencl.TRIAL_S = float(os.environ.get('TRIAL_S', opencl.TRIAL_S))
try:
    print(json.dumps([[one.device.name, one.failure] for one in opencl.survey()]))
except Unavailable as unavailable:
    print(json.dumps(str(unavailable)))
"""
    done = run("-c", code, **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_device_that_cannot_build_fails_in_the_compilers_words(only_pocl):
    assert COMPILER in [failure for _, failure in survey(**only_pocl)]


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


def test_pyopencl_ctx_is_obeyed_and_never_asks_on_a_terminal(working):
    for one in working:
        assert survey(PYOPENCL_CTX=one.choice) == [[one.device.name, ""]]
    assert survey(PYOPENCL_CTX="")  # as if it were not set


def preloaded(tmp_path, body):
    """Build a library in which a call of OpenCL does what a bad driver would."""
    if not shutil.which("cc") or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler, and LD_PRELOAD")
    source, library = tmp_path / "bad.c", tmp_path / "bad.so"
    source.write_text(f"#include <unistd.h>\n{body}\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library)}


def test_a_driver_that_crashes_takes_nothing_with_it(working, tmp_path):
    body = "int clEnqueueNDRangeKernel(void) { return *(volatile int *)0; }"
    said = survey(**preloaded(tmp_path, body))
    assert len(said) == len(working)  # each device had its turn
    assert all("the driver crashed: Segmentation fault" in failure for _, failure in said)


def test_a_driver_that_ends_the_process_is_named_by_its_last_words(working, tmp_path):
    body = 'int clEnqueueNDRangeKernel(void) { write(2, "no licence\\n", 11); _exit(3); }'
    for _, failure in survey(**preloaded(tmp_path, body)):
        assert failure == "the driver ended the process with code 3 (no licence)"


@pytest.mark.slow
def test_a_driver_that_hangs_is_given_up(working, tmp_path):
    body = "int clEnqueueNDRangeKernel(void) { for (;;) pause(); }"
    for _, failure in survey(**preloaded(tmp_path, body), TRIAL_S="60"):
        assert failure == "the driver gave no answer within 60 s"


def test_a_device_that_computes_wrong_fails(working, tmp_path):
    """The launch is dropped, and the buffer stays what it was."""
    body = "int clEnqueueNDRangeKernel(void) { return 0; }"
    said = survey(**preloaded(tmp_path, body))
    assert all(failure for _, failure in said)


def test_no_driver_at_all_is_said_with_what_to_do(working, tmp_path):
    body = "int clGetPlatformIDs(void) { return -1001; }"  # CL_PLATFORM_NOT_FOUND_KHR
    assert survey(**preloaded(tmp_path, body)) == f"OpenCL finds no driver here: {opencl.remedy()}"


def test_drivers_that_crash_when_they_are_listed_are_no_end(working, tmp_path):
    said = survey(
        **preloaded(tmp_path, "int clGetPlatformIDs(void) { return *(volatile int *)0; }")
    )
    assert "devices cannot be listed: the driver crashed: Segmentation fault" in said


def test_what_a_driver_prints_is_no_answer(working, tmp_path):
    body = 'int clReleaseKernel(void) { return write(1, "{hello}\\n", 8) < 0; }'
    assert survey(**preloaded(tmp_path, body)) == [[one.device.name, ""] for one in working]


# The answer is kept


def test_children_inherit_the_answer_and_try_again_only_if_drivers_are_told_otherwise(working):
    counted = """
from polymask.devices import opencl
def counting(function):
    def counted(*arguments):
        counted.calls += 1
        return function(*arguments)
    counted.calls = 0
    return counted
opencl.run_trial = counting(opencl.run_trial)
opencl.device()
print(opencl.run_trial.calls)
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
    assert done.stdout.split() == ["1", "0", "1"], done.stderr


def test_a_failure_is_kept_too(only_pocl):
    code = """
from polymask import rungs
from polymask.devices import opencl
trials, run_trial = [], opencl.run_trial
opencl.run_trial = lambda *arguments: trials.append(1) or run_trial(*arguments)
for key in ("opencl.pixels", "scanline.opencl", "opencl.pixels"):
    try:
        rungs.get(key).load()
    except rungs.Unavailable as unavailable:
        print(unavailable)
print(len(trials))
"""
    lines = run("-c", code, **only_pocl).stdout.splitlines()
    assert len(lines) == 4
    assert all(COMPILER in line for line in lines[:3])
    assert lines[3] == "1"


# Where the device cannot build: skipped, never wrong


def test_bench_skips_the_rungs_and_ends_well(only_pocl, tmp_path):
    done = run(
        "-m", "polymask", "bench", "--shape", "24x32", "--seconds", 0, "--rungs",
        "cclass.polygon,opencl.pixels,scanline.opencl", "--out", tmp_path, **only_pocl,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "wrong" not in done.stdout
    assert (
        f"opencl.pixels skipped: {'' if 'PYOPENCL_CTX' in only_pocl else 'no OpenCL'}"
        in done.stdout
    )
    assert COMPILER in done.stdout
    result = json.loads((tmp_path / "bench.json").read_text())
    status = {row["key"]: row["status"] for row in result["rows"]}
    assert status["opencl.pixels"] == status["scanline.opencl"] == "skipped"
    assert result["machine"]["opencl"] is None


@pytest.mark.parametrize("command", ["doctor", "list"])
def test_doctor_and_list_say_why(command, only_pocl):
    done = run("-m", "polymask", command, **only_pocl)
    assert done.returncode == 0, done.stderr
    assert COMPILER in done.stdout
    if command == "doctor":
        assert "all 15 rungs run here" not in done.stdout


def test_run_refuses_in_one_line(only_pocl, tmp_path):
    done = run("-m", "polymask", "run", "opencl.pixels", "--size", 9, cwd=tmp_path, **only_pocl)
    assert done.returncode == 1
    assert COMPILER in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_tests_of_the_contract_skip_with_the_reason(only_pocl, root):
    done = run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_contract.py",
        "-k", "opencl and (triangle or square)", cwd=root, **only_pocl,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert COMPILER in done.stdout
    assert "failed" not in done.stdout


def test_the_workshop_blames_the_machine_and_not_the_student(only_pocl, tmp_path):
    exercise = exercises.get("kernel")
    folder.start(tmp_path, [exercise])
    (tmp_path / exercise.directory / "mask.cl").write_text(exercise.solution("mask.cl"))
    check = ("-m", "polymask", "workshop", "check", "kernel")
    done = run(*check, cwd=tmp_path, **only_pocl)
    assert done.returncode == 1
    assert "NOT CHECKED the machine is at fault, not your file" in done.stdout
    assert COMPILER in done.stdout
    assert "hint" not in done.stdout


def test_the_workshop_blames_the_student_for_an_error_of_the_kernel(working, tmp_path):
    exercise = exercises.get("kernel")
    folder.start(tmp_path, [exercise])
    text = exercise.solution("mask.cl").replace("border_value);", "border_value)")
    (tmp_path / exercise.directory / "mask.cl").write_text(text)
    done = run("-m", "polymask", "workshop", "check", "kernel", cwd=tmp_path)
    assert done.returncode == 1
    assert "NOT YET the kernel does not compile" in done.stdout
    assert "at fault" not in done.stdout


# `make opencl` ends by this


def test_the_module_says_whether_a_device_works(working, only_pocl):
    done = run("-m", "polymask.devices")
    assert done.returncode == 0, done.stderr
    assert "works" in done.stdout
    done = run("-m", "polymask.devices", **only_pocl)
    assert done.returncode == 1
    assert f"fails: {COMPILER}" in done.stdout


def test_a_device_that_goes_while_others_are_tried_is_passed_over(monkeypatch):
    one = {"device": dict.fromkeys(devices.Device.__dataclass_fields__, "") | {"compute_units": 1}}
    lists = iter([[one | {"choice": "0"}, one | {"choice": "1"}], [one | {"choice": "0"}]])
    monkeypatch.setattr(opencl, "run_trial", lambda number: (next(lists), "fails"))
    there = SimpleNamespace(origin="pyopencl/__init__.py")
    monkeypatch.setattr(opencl.importlib.util, "find_spec", lambda name: there)
    assert [tried.choice for tried in opencl.survey()] == ["0"]


def test_an_empty_folder_that_pip_left_is_no_pyopencl(monkeypatch):
    left = SimpleNamespace(origin=None)
    monkeypatch.setattr(opencl.importlib.util, "find_spec", lambda name: left)
    with pytest.raises(contract.Unavailable, match="the package pyopencl is not installed"):
        opencl.survey()


def test_a_variable_that_breaks_pocl_is_named_in_what_to_do(monkeypatch):
    monkeypatch.setenv("POCL_EXTRA_BUILD_FLAGS", "--no-such-flag")
    assert opencl.remedy().startswith("unset POCL_EXTRA_BUILD_FLAGS, or ")
    monkeypatch.delenv("POCL_EXTRA_BUILD_FLAGS")
    assert "unset" not in opencl.remedy()
