"""A user without a home folder: caches are kept in a temporary one, and rungs run."""

import os

import pytest
from fresh_python import run

from polymask.common import caches
from polymask.devices import opencl

NOWHERE = "/dev/null/nobody"


@pytest.fixture
def homeless(monkeypatch):
    for name in caches.VARIABLE, caches.MATPLOTLIB, "XDG_CONFIG_HOME":
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", NOWHERE)


def test_a_temporary_folder_is_used_and_goes_with_the_process(homeless):
    code = "import os; from polymask.common import caches; caches.ensure(); print(caches.home())"
    code += "; print(os.path.isdir(caches.home()), os.environ[caches.MATPLOTLIB])"
    done = run("-c", code)
    folder, is_there = done.stdout.split()[:2]
    assert (done.stderr, is_there) == ("", "True")
    assert done.stdout.split()[2].startswith(folder)
    assert not os.path.exists(folder)


def test_a_folder_that_the_user_names_stays(homeless, monkeypatch, tmp_path):
    monkeypatch.setenv(caches.VARIABLE, NOWHERE)
    monkeypatch.setenv(caches.MATPLOTLIB, str(tmp_path))
    caches.ensure()
    assert (os.environ[caches.VARIABLE], os.environ[caches.MATPLOTLIB]) == (NOWHERE, str(tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("key", ["offload.copy", "opencl.pixels"])
def test_rungs_that_compile_run(homeless, key):
    listed = run("-m", "polymask", "list").stdout
    if f"- {key}: " in listed:
        pytest.skip(listed[listed.index(f"- {key}: ") :].partition("\n")[0])
    done = run("-m", "polymask", "run", key, "--size", "8")
    assert (done.returncode, done.stderr) == (0, "")


def test_charts_are_drawn_without_a_warning(homeless):
    pytest.importorskip("matplotlib")
    code = "from polymask.report.charts import drawing; drawing.need().get_configdir()"
    done = run("-c", code)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_linker_is_not_a_missing_driver(monkeypatch):
    monkeypatch.setenv("PATH", NOWHERE)
    remedy = opencl.search.remedy
    assert "linker" in remedy("the driver crashed (Final linking of kernel trial failed.)")
    assert "linker" not in remedy("it gives another mask")
