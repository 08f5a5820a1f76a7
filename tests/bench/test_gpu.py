"""`make gpu` without a GPU: its stages, their summary, and its environment."""

import site
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from commands import ran

from benchmarks.gpu import __main__ as gpu
from benchmarks.gpu import environment
from benchmarks.gpu.stages import Stage

PYTEST = "print('FAILED a.py::b - 1 == 2'); print('ERROR a.py::c'); print('2 failed'); exit(1)"


def python(code):
    return [[sys.executable, "-c", code]]


def test_a_stage_that_fails_hangs_or_needs_a_gpu_is_reported_and_the_others_run(tmp_path):
    plan = [
        Stage("fails", 20, python("exit('no such thing')")),
        Stage("hangs", 0.2, python("import time; time.sleep(60)")),
        Stage("missing", 20, [["no-such-program"]]),
        Stage("suite", 20, python(PYTEST), tests=True),
        Stage("times", 20, python("exit(1)"), times=True),
        Stage("last", 20, python("print('done')")),
    ]
    outcomes = gpu.run(plan, SimpleNamespace(results=tmp_path, seconds=60), {}, "no driver")
    outcomes[1].text = outcomes[1].text.partition(":")[0]  # how Python ends is chance
    assert {outcome.name: (outcome.text, outcome.failed) for outcome in outcomes} == {
        "fails": ("exit code 1: no such thing", True),
        "hangs": ("out of time", True),
        "missing": ("exit code 127: no-such-program", True),
        "suite": ("exit code 1: 2 failed", True),
        "times": ("not run: without a GPU nothing is timed", False),
        "last": ("ok", False),
    }
    summary = (tmp_path / "summary.txt").read_text()
    assert summary.splitlines()[0].endswith("a rehearsal: no driver")
    assert "2 failed\n     FAILED a.py::b - 1 == 2\n     ERROR a.py::c\n" in summary
    assert (tmp_path / "last.txt").read_text().endswith("done\n")


def test_a_failed_requirement_or_the_end_of_its_time_ends_the_run(tmp_path):
    plan = [Stage("packages", 9, python("exit(1)"), needed=True), Stage("next", 9, python("pass"))]
    options = SimpleNamespace(results=tmp_path, seconds=60)
    assert [out.name for out in gpu.run(plan, options, {}, "")] == ["packages"]
    options.seconds = 0
    assert [out.text for out in gpu.run(plan[1:], options, {}, "")] == ["not run: no time left"]


def test_a_missing_gpu_is_reported_in_one_line(capsys, monkeypatch):
    monkeypatch.setattr(environment, "CUDA_DRIVER", "libno-such-driver.so")
    assert gpu.main([]) == 2
    output = capsys.readouterr().out
    assert output.startswith("no NVIDIA GPU can be used (libno-such-driver.so: ")
    assert "nvidia-smi" in output
    assert output.count("\n") == 1


def test_a_wheel_that_is_installed_is_left_out(tmp_path):
    installed = f"numpy-{metadata.version('numpy')}-cp312-cp312-linux.whl"
    for name in installed, "numpy-0.1-py3-none-any.whl", "no_such-1.0-py3-none-any.whl":
        (tmp_path / name).touch()
    commands = environment.python_commands(sys.executable, tmp_path, tmp_path / "made")
    wheels = [Path(part).name for part in commands[2] if part.endswith(".whl")]
    assert wheels == ["no_such-1.0-py3-none-any.whl", "numpy-0.1-py3-none-any.whl"]


def test_the_environment_has_the_packages_and_the_prefix_of_the_python(tmp_path):
    folder = tmp_path / "made"
    for command in environment.python_commands(sys.executable, tmp_path, folder)[:2]:
        assert ran(command).returncode == 0
    code = "import numpy, site, sys; print(numpy.__file__, *site.getsitepackages(), sep='\\n')"
    file, own, *outer = ran([folder / "bin/python", "-c", code]).stdout.splitlines()
    assert file == np.__file__
    assert own.startswith(str(folder))
    assert set(site.getsitepackages()) <= set(outer)  # Debian's Python lists other folders too


def test_an_opencl_driver_that_no_file_names_is_named(tmp_path, monkeypatch):
    monkeypatch.delenv(environment.VENDORS_VARIABLE, raising=False)
    vendors, folder = tmp_path / "vendors", tmp_path / "own"
    vendors.mkdir()
    (vendors / "pocl.icd").write_text("libpocl.so\n")
    assert environment.opencl_vendors(folder, vendors) == {"OCL_ICD_VENDORS": str(folder)}
    assert (folder / "nvidia.icd").read_text() == "libnvidia-opencl.so.1\n"
    assert (folder / "pocl.icd").read_text() == "libpocl.so\n"
    assert environment.opencl_vendors(tmp_path / "other", folder) == {}
    monkeypatch.setenv(environment.VENDORS_VARIABLE, "/mine")
    assert environment.opencl_vendors(tmp_path / "other", vendors) == {}
    assert not (tmp_path / "other").exists()
