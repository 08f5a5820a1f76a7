"""Where the device cannot build: rungs and commands skip it, and exercises blame the right one."""

import json

import pytest
from broken_driver import COMPILER
from cases import says
from fresh_python import run

from polymask.workshop import exercises
from polymask.workshop.student import folder


@pytest.mark.slow
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
    assert result["machine"]["devices"] == {}


@pytest.mark.slow
@pytest.mark.parametrize("command", ["doctor", "list"])
def test_doctor_and_list_say_why(command, only_pocl):
    done = run("-m", "polymask", command, **only_pocl)
    assert done.returncode == 0, done.stderr
    assert COMPILER in done.stdout
    if command == "doctor":
        assert "all 15 rungs run here" not in done.stdout


@pytest.mark.slow
def test_run_refuses_in_one_line(only_pocl, tmp_path):
    done = run("-m", "polymask", "run", "opencl.pixels", "--size", 9, cwd=tmp_path, **only_pocl)
    assert done.returncode == 1
    assert COMPILER in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_tests_of_the_contract_skip_with_the_reason(only_pocl, root):
    done = run(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/contract/test_masks.py",
        "-k", "opencl and test_named_polygons", cwd=root, **only_pocl,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert COMPILER in done.stdout
    assert "failed" not in done.stdout


def check_kernel(where, change=("", ""), **environment):
    """Check the solution of an exercise, changed so, in a process of its own."""
    exercise = exercises.get("kernel")
    folder.start(where, [exercise])
    text = exercise.solution("mask.cl").replace(*change)
    (where / exercise.directory / "mask.cl").write_text(text)
    done = run("-m", "polymask", "workshop", "check", "kernel", cwd=where, **environment)
    assert done.returncode == 1
    return done.stdout


@pytest.mark.slow
def test_the_workshop_blames_the_machine_and_not_the_student(only_pocl, tmp_path):
    told = check_kernel(tmp_path, **only_pocl)
    assert says(told, "NOT", "CHECKED", "file")
    assert COMPILER in told
    assert "hint" not in told


@pytest.mark.slow
def test_the_workshop_blames_the_student_for_an_error_of_the_kernel(working, tmp_path):
    told = check_kernel(tmp_path, ("border_value);", "border_value)"))
    assert "NOT YET the kernel does not compile" in told
    assert "at fault" not in told
