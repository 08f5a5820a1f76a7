"""The types: they say what the runtime does, and mypy and pyright see what users write."""

import json
import re
import runpy
import shutil
import sys
from pathlib import Path

import pytest
from cases import folded
from checkouts import ROOT
from commands import ran

import polymask
from polymask.ladder import registry

PROGRAM = Path(__file__).with_name("typed_program.py")
TYPED = [f"polymask/{files}" for files in ("*.py", "geodata/*.py", "masks/*.py")]
STRICT = ["--strict", "--follow-imports", "silent", "--cache-dir", "cache"]
SIGNATURE = re.compile(
    r"Overloaded function|\[(overload-\S+|name-defined|valid-type|type-arg|override)\]$"
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """What type checkers read of an installed polymask, and no more of it."""
    root = tmp_path_factory.mktemp("typed")
    package = root / "polymask"
    package.mkdir()
    for name in ("__init__.py", "contract.py", "hints.py", "py.typed"):
        shutil.copy(ROOT / "polymask" / name, package)
    for room in ("common", "geodata", "masks"):
        compiled = shutil.ignore_patterns("*.pyx", "*.so", "*.pyd", "__pycache__")
        shutil.copytree(ROOT / "polymask" / room, package / room, ignore=compiled)
    return root


@pytest.fixture(scope="module")
def stubs(tmp_path_factory):
    """The stubs of compiled rungs, where no source of the package hides its modules."""
    root = tmp_path_factory.mktemp("stubs")
    package = root / "polymask"
    package.mkdir()
    shutil.copy(ROOT / "polymask" / "hints.py", package)
    (package / "__init__.pyi").touch()
    for rung, stub in stubs_of_rungs().items():
        if rung.extra:
            continue  # it is built only where that is installed
        folder = package / rung.key.partition(".")[0]
        folder.mkdir(exist_ok=True)
        shutil.copy(stub.parent / "__init__.py", folder)
        shutil.copy(stub, folder)
    return root


def stubs_of_rungs():
    """Return the compiled rungs, and where their stubs are to be."""
    return {
        rung: ROOT / rung.folder / f"{rung.key.partition('.')[2]}.pyi"
        for rung in registry.RUNGS
        if rung.compiled
    }


def checked(tree, *arguments):
    done = ran(
        [sys.executable, "-m", *arguments],
        cwd=tree,
        environment={"MYPYPATH": str(tree), "PYTHONUTF8": "1"},
        encoding="utf-8",
    )
    return done.returncode, done.stdout + done.stderr


def test_every_compiled_rung_has_a_stub():
    assert len(stubs_of_rungs()) >= 10
    for rung, stub in stubs_of_rungs().items():
        assert stub.exists(), rung.key


def test_the_typed_program_runs_and_calls_every_function():
    runpy.run_path(str(PROGRAM))
    text = PROGRAM.read_text(encoding="utf-8")
    assert set(re.findall(r"polymask\.(\w+)\(", text)) == set(polymask.__all__)


@pytest.mark.proof(*TYPED)
@folded("name", polymask._MODULES)
def test_modules_with_types_are_attributes_from_the_start(name):
    """As type checkers take them to be, whatever has been imported before."""
    code = f"import polymask; print(polymask.{name}.__name__, {name!r} in dir(polymask))"
    done = ran([sys.executable, "-c", code], check=True)
    assert done.stdout.split() == [f"polymask.{polymask._MODULES[name]}", "True"]


def test_types_of_the_package_stand_in_its_sources():
    assert list((ROOT / "polymask").rglob("*.pyi")) == []


@pytest.mark.proof(*TYPED)
def test_overloads_are_what_the_function_takes(tree):
    """Of the library itself only signatures are checked: its inner functions have no types."""
    pytest.importorskip("mypy")
    (tree / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n")
    _, said = checked(tree, "mypy", "--config-file", "mypy.ini", "--cache-dir", "own", "polymask")
    assert [line for line in said.splitlines() if SIGNATURE.search(line)] == []
    assert "Found" in said  # errors of other kinds: it was run


@pytest.mark.proof("[0-9]_*/*.pyi")
def test_stubs_of_rungs_are_what_the_runtime_has(stubs):
    pytest.importorskip("mypy")
    (stubs / "mypy.ini").write_text("[mypy]\nignore_errors = True\nignore_missing_imports = True\n")
    modules = [f"polymask.{rung.key}" for rung in stubs_of_rungs() if not rung.extra]
    options = ["--ignore-missing-stub", "--ignore-disjoint-bases", "--mypy-config-file", "mypy.ini"]
    code, said = checked(stubs, "mypy.stubtest", *modules, *options)
    assert code == 0, said


@pytest.mark.proof(*TYPED)
def test_mypy_is_content(tree):
    pytest.importorskip("mypy")
    code, said = checked(tree, "mypy", *STRICT, str(PROGRAM))
    assert code == 0, said


@pytest.mark.proof(*TYPED)
def test_pyright_is_content(tree):
    pytest.importorskip("pyright")
    shutil.copy(PROGRAM, tree)
    config = {"typeCheckingMode": "strict", "include": [PROGRAM.name], "extraPaths": ["."]}
    config["reportUnnecessaryTypeIgnoreComment"] = True
    (tree / "pyrightconfig.json").write_text(json.dumps(config))
    code, said = checked(tree, "pyright", "--pythonpath", sys.executable)
    assert code == 0, said
