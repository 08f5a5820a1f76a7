"""A device that cannot build: rungs and commands skip it, and exercises name the real cause."""

import json

import pytest
from broken_driver import COMPILER
from cases import says
from fresh_python import run

from ladder.workshop import exercises
from ladder.workshop.student import folder


@pytest.mark.slow
def test_bench_skips_the_rungs_and_ends_well(only_pocl, tmp_path):
    completed = run(
        "-m", "polymask", "bench", "--shape", "24x32", "--seconds", 0, "--rungs",
        "cclass.polygon,opencl.pixels,scanline.opencl", "--out", tmp_path, **only_pocl,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    assert "wrong" not in completed.stdout
    assert (
        f"opencl.pixels skipped: {'' if 'PYOPENCL_CTX' in only_pocl else 'no OpenCL'}"
        in completed.stdout
    )
    assert COMPILER in completed.stdout
    result = json.loads((tmp_path / "bench.json").read_text())
    status = {row["key"]: row["status"] for row in result["rows"]}
    assert status["opencl.pixels"] == status["scanline.opencl"] == "skipped"
    assert result["machine"]["devices"] == {}


@pytest.mark.slow
@pytest.mark.parametrize("command", ["doctor", "list"])
def test_doctor_and_list_say_why(command, only_pocl):
    completed = run("-m", "polymask", command, **only_pocl)
    assert completed.returncode == 0, completed.stderr
    assert COMPILER in completed.stdout
    if command == "doctor":
        assert "all 15 rungs run here" not in completed.stdout


@pytest.mark.slow
def test_run_refuses_in_one_line(only_pocl, tmp_path):
    result = run("-m", "polymask", "run", "opencl.pixels", "--size", 9, cwd=tmp_path, **only_pocl)
    assert result.returncode == 1
    assert COMPILER in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_workshop_blames_the_machine_and_not_the_student(only_pocl, tmp_path):
    exercise = exercises.get("kernel")
    folder.start(tmp_path, [exercise])
    (tmp_path / exercise.directory / "mask.cl").write_text(exercise.solution("mask.cl"))
    completed = run("-m", "polymask", "workshop", "check", "kernel", cwd=tmp_path, **only_pocl)
    assert completed.returncode == 1
    assert says(completed.stdout, "NOT", "CHECKED", "file", COMPILER)
    assert "hint" not in completed.stdout
