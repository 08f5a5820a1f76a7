"""The checks of `make` before it sets anything up: one line with the problem and its remedy."""

import ast
import ensurepip
import shutil
import sys
import sysconfig

import fresh_python
import pytest
from cases import says
from commands import ran

from ladder.common import preflight


@pytest.fixture(autouse=True)
def _working_compiler(monkeypatch):
    """Use a command that succeeds as compiler, so that each test removes one thing only."""
    monkeypatch.setenv("CC", "true")
    monkeypatch.setenv("CXX", "true")


@pytest.fixture
def headers(monkeypatch, tmp_path):
    """A folder with Python's header."""
    (tmp_path / "Python.h").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    return tmp_path


def test_nothing_is_missing(headers):
    assert preflight.problem() == ""


@pytest.mark.parametrize("version", [(3, 9, 18), (2, 7, 18), (3, 10, 0), (4, 0, 0)])
def test_an_old_python_is_too_old(monkeypatch, headers, version):
    monkeypatch.setattr(sys, "version_info", version)
    problem = preflight.problem()
    if version >= (3, 10):
        assert problem == ""
        return
    assert problem.startswith(f"Python {version[0]}.{version[1]} is too old")
    assert says(problem, "3.10 or later", "make PYTHON=")


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_no_venv_module(monkeypatch, headers, module):
    monkeypatch.setitem(sys.modules, module, None)
    assert says(preflight.problem(), "no venv module", "install python3-venv")


def test_no_pip_to_put_into_a_venv(monkeypatch, headers):
    """The module exists without its wheels, as in some distributions."""

    def version():
        raise ImportError("ensurepip is disabled")

    monkeypatch.setattr(ensurepip, "version", version)
    assert "no venv module" in preflight.problem()


@pytest.mark.parametrize("variable", ["CC", "CXX"])
def test_no_compiler(monkeypatch, headers, variable):
    """Without the variable, Python's own compiler is used."""
    monkeypatch.setenv(variable, "no-such-compiler -pthread")
    expected = "the compiler no-such-compiler was not found", f"Set {variable} to"
    assert says(preflight.problem(), *expected, "install build-essential")
    monkeypatch.delenv(variable)
    monkeypatch.setattr(
        sysconfig, "get_config_var", lambda name: f"no-such-{name} -pthread".lower()
    )
    assert f"the compiler no-such-{variable.lower()} was not found" in preflight.problem()
    monkeypatch.setenv(variable, "false")
    assert preflight.problem().startswith("false cannot compile")


@pytest.mark.parametrize("command", [" ", "'gcc", '"'])
def test_a_compiler_that_is_no_command(monkeypatch, headers, command):
    monkeypatch.setenv("CC", command)
    assert says(preflight.problem(), "the compiler", "was not found")


def test_no_headers(headers):
    (headers / "Python.h").unlink()
    expected = f"the Python header {headers / 'Python.h'} was not found"
    assert says(preflight.problem(), expected, "install python3-dev")


def test_as_a_script_it_prints_one_line_and_exits_1(monkeypatch, root):
    if not preflight.problem():
        completed = fresh_python.run("-I", root / "ladder/common/preflight.py")
        assert (completed.returncode, completed.stdout, completed.stderr) == (0, "", "")
    monkeypatch.setenv("CC", "no-such-compiler")
    completed = fresh_python.run("-I", root / "ladder/common/preflight.py")
    assert (completed.returncode, completed.stdout) == (1, "")
    assert len(completed.stderr.splitlines()) == 1
    assert "the compiler no-such-compiler was not found" in completed.stderr


def test_an_old_python_can_read_it(root):
    """A syntax error would otherwise hide the message that the Python is too old."""
    ast.parse((root / "ladder/common/preflight.py").read_text(), feature_version=(3, 6))


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["PYTHON=no-such-python"], "no-such-python not found: install Python 3.10 or later"),
        ([f"PYTHON={sys.executable}", "CC=no-such-compiler"], "the compiler no-such-compiler was"),
    ],
    ids=["python", "compiler"],
)
def test_make_stops_before_it_sets_anything_up(tmp_path, root, arguments, line):
    (tmp_path / "ladder/common").mkdir(parents=True)
    for file in "Makefile", "setup.py", "pyproject.toml", "ladder/common/preflight.py":
        shutil.copy(root / file, tmp_path / file)
    completed = ran(["make", "build", *arguments], cwd=tmp_path)
    output = completed.stdout + completed.stderr
    assert completed.returncode != 0
    assert line in output
    assert "Traceback" not in output
    assert not (tmp_path / ".venv").exists()
