"""`make gpu` without a GPU: its summary, its stages, and its environment."""

import site
import sys
import tarfile
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from commands import ran

from benchmarks.gpu import __main__ as gpu
from benchmarks.gpu import environment, running, stages, summary

JUNIT = """<testsuites><testsuite>
<testcase classname="tests.a.test_b" name="test_good" />
<testcase classname="tests.a.test_b" name="test_bad[cuda]">
<failure message="assert 1 == 2&#10;+1">the traceback</failure></testcase>
<testcase classname="tests.a.test_b" name="test_broken"><error message="">fixture</error></testcase>
<testcase classname="tests.a.test_b" name="test_1"><skipped message="Skipped: no GPU" /></testcase>
<testcase classname="tests.a.test_b" name="test_two"><skipped message="no GPU" /></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def tests(tmp_path):
    junit = tmp_path / "junit.xml"
    junit.write_text(JUNIT)
    return summary.read(junit)


def test_the_summary_counts_tests_and_names_those_that_failed(tests):
    outcome = running.Outcome("suite", tests.line(), 1.5, failed=True, tests=tests)
    screen = summary.screen(["a heading"], [outcome])
    assert "FAIL suite         1.5 s  1 passed, 2 failed, 2 skipped" in screen
    assert "  tests/a/test_b.py::test_bad[cuda]: assert 1 == 2\n" in screen
    assert "  tests/a/test_b.py::test_broken: fixture\n" in screen
    assert "  2 x no GPU\n" in screen
    assert "the traceback" in summary.failures([outcome])


@pytest.mark.parametrize("content", [None, "<testsuites><testsui", "<testsuites />"])
def test_a_suite_without_results_has_no_tests(content, tmp_path):
    if content is not None:
        (tmp_path / "junit.xml").write_text(content)
    assert summary.read(tmp_path / "junit.xml") is None


def python(code):
    return [[sys.executable, "-c", code]]


def test_a_stage_that_fails_hangs_or_needs_a_gpu_is_reported_and_the_others_run(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    gpu.WORK.mkdir(parents=True)
    plan = [
        stages.Stage("fails", 20, python("exit('no such thing')")),
        stages.Stage("hangs", 0.2, python("import time; time.sleep(60)")),
        stages.Stage("missing", 20, [["no-such-program"]]),
        stages.Stage("untested", 20, python("pass"), junit=tmp_path / "none.xml"),
        stages.Stage("times", 20, python("exit(1)"), times=True),
        stages.Stage("last", 20, python(f"open('{gpu.WORK}/result', 'w'); print('done')")),
    ]
    outcomes = gpu.run(plan, SimpleNamespace(results=tmp_path, seconds=60), {}, has_gpu=False)
    assert {outcome.name: (outcome.text, outcome.failed) for outcome in outcomes} == {
        "fails": ("exit code 1", True),
        "hangs": ("out of time", True),
        "missing": ("exit code 127", True),
        "untested": ("ok, no results of tests", True),
        "times": ("not run: without a GPU nothing is timed", False),
        "last": ("ok", False),
    }
    log = (tmp_path / "log.txt").read_text()
    assert "no such thing" in log
    assert log.endswith("done\n")
    with tarfile.open(tmp_path / "results.tar.gz") as archive:
        assert archive.getnames() == ["gpu", "gpu/result"]
    assert "FAIL hangs" in (tmp_path / "summary.txt").read_text()


def test_a_failed_requirement_or_the_end_of_its_time_ends_the_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    gpu.WORK.mkdir(parents=True)
    failing, passing = python("exit(1)"), python("pass")
    plan = [stages.Stage("packages", 9, failing, needed=True), stages.Stage("next", 9, passing)]
    options = SimpleNamespace(results=tmp_path, seconds=60)
    assert [out.name for out in gpu.run(plan, options, {}, False)] == ["packages"]
    options.seconds = 0
    assert [out.text for out in gpu.run(plan[1:], options, {}, False)] == ["not run: no time left"]


def test_of_a_long_output_the_middle_is_left_out(tmp_path):
    log = tmp_path / "log.txt"
    log.write_bytes(b"before" + b"a" * running.MOST_BYTES + b"b" * running.MOST_BYTES)
    running.shorten(log, 6)
    assert log.stat().st_size < running.MOST_BYTES + 100
    assert log.read_bytes().startswith(b"beforeaaa")
    assert log.read_bytes().endswith(b"bbb")


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


@pytest.fixture
def driver(monkeypatch):
    """NVIDIA's OpenCL driver is installed, and the user has not set the variable."""
    monkeypatch.setattr(environment, "opencl_driver", lambda: "/drivers/libnvidia-opencl.so.1")
    monkeypatch.delenv(environment.VENDORS_VARIABLE, raising=False)


def test_an_opencl_driver_that_no_file_names_is_named(driver, tmp_path):
    vendors, folder = tmp_path / "vendors", tmp_path / "own"
    assert environment.opencl_vendors(folder, vendors) == {"OCL_ICD_VENDORS": str(folder)}
    assert (folder / "nvidia.icd").read_text() == "/drivers/libnvidia-opencl.so.1\n"
    vendors.mkdir()
    (vendors / "pocl.icd").write_text("libpocl.so\n")
    environment.opencl_vendors(folder, vendors)
    assert (folder / "pocl.icd").read_text() == "libpocl.so\n"


def test_an_opencl_driver_that_is_named_is_left_alone(driver, tmp_path, monkeypatch):
    (tmp_path / "nvidia.icd").write_text("libnvidia-opencl.so.1\n")
    assert environment.opencl_vendors(tmp_path / "own", tmp_path) == {}
    monkeypatch.setenv(environment.VENDORS_VARIABLE, "/mine")
    assert environment.opencl_vendors(tmp_path / "own", tmp_path / "none") == {}
    assert not (tmp_path / "own").exists()
