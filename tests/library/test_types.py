"""The types: stubs say what the runtime does, and mypy and pyright see what users write."""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkouts import ROOT

import polymask
from polymask.ladder import registry

PROGRAM = Path(__file__).with_name("typed_program.py")


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """What type checkers read of an installed polymask, and no more of it."""
    root = tmp_path_factory.mktemp("typed")
    package = root / "polymask"
    package.mkdir()
    for name in ("*.pyi", "hints.py", "py.typed"):
        for file in ROOT.glob(f"polymask/{name}"):
            shutil.copy(file, package)
    for rung, stub in stubs_of_rungs().items():
        folder = package / rung.key.partition(".")[0]
        folder.mkdir(exist_ok=True)
        shutil.copy(stub.parent / "__init__.py", folder)
        shutil.copy(stub, folder)
    return root


def stubs_of_rungs():
    """Return the compiled rungs that are built, and where their stubs are to be."""
    found = {}
    for rung in registry.RUNGS:
        if rung.compiled and rung.extra is None:
            found[rung] = ROOT / rung.folder / f"{rung.key.partition('.')[2]}.pyi"
    return found


def checked(tree, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=tree,
        env={**os.environ, "MYPYPATH": str(tree), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_every_compiled_rung_has_a_stub():
    assert len(stubs_of_rungs()) >= 9
    for rung, stub in stubs_of_rungs().items():
        assert stub.exists(), rung.key


def test_the_typed_program_runs_and_calls_every_function():
    runpy.run_path(str(PROGRAM))
    text = PROGRAM.read_text(encoding="utf-8")
    assert set(re.findall(r"polymask\.(\w+)\(", text)) == set(polymask.__all__)


@pytest.mark.slow
def test_stubs_are_what_the_runtime_has(tree):
    pytest.importorskip("mypy")
    (tree / "mypy.ini").write_text("[mypy]\nignore_errors = True\nignore_missing_imports = True\n")
    (tree / "allowed").write_text("polymask.hints.Order\n")  # a Literal is no union at runtime
    # Modules have names that are nobody's business: those of `polymask` itself test_docs.py counts.
    options = ["--ignore-missing-stub", "--ignore-disjoint-bases"]
    options += ["--mypy-config-file", "mypy.ini", "--allowlist", "allowed"]
    code, said = checked(tree, "mypy.stubtest", "polymask", *options)
    assert code == 0, said


@pytest.mark.slow
def test_mypy_is_content(tree):
    pytest.importorskip("mypy")
    code, said = checked(tree, "mypy", "--strict", "--cache-dir", "cache", str(PROGRAM))
    assert code == 0, said


@pytest.mark.slow
def test_pyright_is_content(tree):
    pytest.importorskip("basedpyright")
    shutil.copy(PROGRAM, tree)
    config = {"typeCheckingMode": "strict", "include": [PROGRAM.name], "extraPaths": ["."]}
    config["reportUnnecessaryTypeIgnoreComment"] = True
    (tree / "pyrightconfig.json").write_text(json.dumps(config))
    code, said = checked(tree, "basedpyright", "--pythonpath", sys.executable)
    assert code == 0, said
