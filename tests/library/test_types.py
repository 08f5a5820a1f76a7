"""The types agree with the runtime, and mypy and pyright accept a user's program."""

import json
import re
import runpy
import shutil
import sys
from pathlib import Path

import pytest
from checkouts import ROOT
from commands import ran

import polymask
from ladder import registry

PROGRAM = Path(__file__).with_name("typed_program.py")
STRICT = ["--strict", "--follow-imports", "silent", "--cache-dir", "cache"]
SIGNATURE = re.compile(
    r"Overloaded function|\[(overload-\S+|name-defined|valid-type|type-arg|override)\]$"
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The files of an installed polymask that type checkers read, and no others."""
    root = tmp_path_factory.mktemp("typed")
    package = root / "polymask"
    package.mkdir()
    for name in ("__init__.py", "contract.py", "hints.py", "py.typed"):
        shutil.copy(ROOT / "polymask" / name, package)
    for folder in ("common", "forms", "maps", "masks"):
        compiled = shutil.ignore_patterns("*.pyx", "*.so", "*.pyd", "__pycache__")
        shutil.copytree(ROOT / "polymask" / folder, package / folder, ignore=compiled)
    return root


@pytest.fixture(scope="module")
def stubs(tmp_path_factory):
    """The stubs of compiled rungs, without sources of the package that hide its modules."""
    root = tmp_path_factory.mktemp("stubs")
    package = root / "polymask"
    package.mkdir()
    shutil.copy(ROOT / "polymask" / "hints.py", package)
    (package / "__init__.pyi").touch()
    for rung, stub in stubs_of_rungs().items():
        if rung.extra:
            continue  # it is built only where its extra is installed
        folder = package / rung.key.partition(".")[0]
        folder.mkdir(exist_ok=True)
        shutil.copy(stub.parent / "__init__.py", folder)
        shutil.copy(stub, folder)
    return root


def stubs_of_rungs():
    """Return the compiled rungs and the paths of their stubs."""
    return {
        rung: ROOT / rung.folder / f"{rung.key.partition('.')[2]}.pyi"
        for rung in registry.RUNGS
        if rung.compiled
    }


def check(tree, *arguments):
    completed = ran(
        [sys.executable, "-m", *arguments],
        cwd=tree,
        environment={"MYPYPATH": str(tree), "PYTHONUTF8": "1"},
        encoding="utf-8",
    )
    return completed.returncode, completed.stdout + completed.stderr


def test_every_compiled_rung_has_a_stub():
    assert len(stubs_of_rungs()) >= 10
    for rung, stub in stubs_of_rungs().items():
        assert stub.exists(), rung.key


def test_the_typed_program_runs_and_calls_every_function():
    runpy.run_path(str(PROGRAM))
    text = PROGRAM.read_text(encoding="utf-8")
    assert set(re.findall(r"polymask\.(\w+)\(", text)) == set(polymask.__all__)


@pytest.mark.weekly
def test_overloads_are_what_the_function_takes(tree):
    """Only signatures of the library itself are checked: its inner functions have no types."""
    pytest.importorskip("mypy")
    (tree / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n")
    _, output = check(tree, "mypy", "--config-file", "mypy.ini", "--cache-dir", "own", "polymask")
    assert [line for line in output.splitlines() if SIGNATURE.search(line)] == []
    assert "Found" in output  # errors of other kinds: mypy ran


@pytest.mark.slow
def test_stubs_of_rungs_are_what_the_runtime_has(stubs):
    pytest.importorskip("mypy")
    (stubs / "mypy.ini").write_text("[mypy]\nignore_errors = True\nignore_missing_imports = True\n")
    modules = [f"ladder.{rung.key}" for rung in stubs_of_rungs() if not rung.extra]
    options = ["--ignore-missing-stub", "--ignore-disjoint-bases", "--mypy-config-file", "mypy.ini"]
    code, output = check(stubs, "mypy.stubtest", *modules, *options)
    assert code == 0, output


@pytest.mark.slow
def test_mypy_finds_no_error(tree):
    pytest.importorskip("mypy")
    code, output = check(tree, "mypy", *STRICT, str(PROGRAM))
    assert code == 0, output


@pytest.mark.slow
def test_pyright_finds_no_error(tree):
    pytest.importorskip("pyright")
    shutil.copy(PROGRAM, tree)
    config = {"typeCheckingMode": "strict", "include": [PROGRAM.name], "extraPaths": ["."]}
    config["reportUnnecessaryTypeIgnoreComment"] = True
    (tree / "pyrightconfig.json").write_text(json.dumps(config))
    code, output = check(tree, "pyright", "--pythonpath", sys.executable)
    assert code == 0, output
