"""A user without a home folder: caches go to a temporary folder, and rungs run."""

import os

import pytest
from fresh_python import run

from ladder.common import caches
from ladder.devices import opencl

MISSING = "/dev/null/home"


@pytest.fixture
def no_home(monkeypatch):
    for name in caches.VARIABLE, caches.MATPLOTLIB, "XDG_CONFIG_HOME":
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", MISSING)


def test_a_temporary_folder_is_used_and_removed_with_the_process(no_home):
    code = "import os; from ladder.common import caches; caches.ensure(); print(caches.home())"
    code += "; print(os.path.isdir(caches.home()), os.environ[caches.MATPLOTLIB])"
    completed = run("-c", code)
    folder, exists = completed.stdout.split()[:2]
    assert (completed.stderr, exists) == ("", "True")
    assert completed.stdout.split()[2].startswith(folder)
    assert not os.path.exists(folder)


def test_a_folder_named_by_the_user_stays(no_home, monkeypatch, tmp_path):
    monkeypatch.setenv(caches.VARIABLE, MISSING)
    monkeypatch.setenv(caches.MATPLOTLIB, str(tmp_path))
    caches.ensure()
    assert (os.environ[caches.VARIABLE], os.environ[caches.MATPLOTLIB]) == (MISSING, str(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["offload.copied", "opencl.pixels"])
def test_rungs_that_compile_run(no_home, key):
    output = run("-m", "polymask", "list").stdout
    if f"- {key}: " in output:
        pytest.skip(output[output.index(f"- {key}: ") :].partition("\n")[0])
    completed = run("-m", "polymask", "run", key, "--size", "8")
    assert (completed.returncode, completed.stderr) == (0, "")


def test_charts_are_drawn_without_a_warning(no_home):
    pytest.importorskip("matplotlib")
    code = "from ladder.report.charts import drawing; drawing.need().get_configdir()"
    completed = run("-c", code)
    assert (completed.returncode, completed.stderr) == (0, "")


def test_a_missing_linker_is_not_a_missing_driver(monkeypatch):
    monkeypatch.setenv("PATH", MISSING)
    remedy = opencl.KIND.remedy
    assert "linker" in remedy("the driver crashed (Final linking of kernel trial failed.)")
    assert "linker" not in remedy("it gives another mask")
