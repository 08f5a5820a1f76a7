"""Imports between rungs and the package, and the lists in setup.py."""

import ast
import re
from pathlib import Path

import pytest
from cases import folded
from every_rung import each_rung

from ladder import devices, registry
from ladder.registry import reference

KEYS = [rung.key for rung in registry.RUNGS]
ENTRIES = ["beyond", "course"]
LADDER = [*ENTRIES, "__init__", "rung", "work", "reference", "workload"]
BELOW = "polymask.", "ladder.common", "ladder.devices", "ladder.registry"  # below the driver


def assigned(root, name):
    """Return the value assigned to `name` in setup.py, without running it."""
    for node in ast.parse((root / "setup.py").read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return node.value
    raise AssertionError(f"setup.py has no {name}")


def test_setup_py_lists_the_folders_of_the_registry(root):
    folders = ast.literal_eval(assigned(root, "FOLDERS"))
    expected = {rung.module_name.rpartition(".")[0]: rung.folder for rung in registry.RUNGS}
    assert {k: v for k, v in folders.items() if not v.startswith("csrc")} == expected
    assert folders["polymask.csrc"] == "csrc"


def test_setup_py_builds_every_rung_that_is_compiled(root):
    calls = [each for each in assigned(root, "EXTENSIONS").elts if isinstance(each, ast.Call)]
    extensions = {call.args[0].value: call.args[1].value for call in calls}
    compiled = {rung.module_name: rung.file for rung in registry.RUNGS if rung.compiled}
    rungs = {name: file for name, file in extensions.items() if file[0].isdigit()}
    assert rungs == compiled


def names_in_code(file):
    """Return (line, text) of a file's strings except docstrings, and of its imports of the ladder.

    Other packages may have a module with the same name as a rung, such as numba.cuda.
    """
    strings, imported, docstrings = [], [], set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            docstrings |= {id(part.value) for part in node.body[:1] if isinstance(part, ast.Expr)}
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings += [(node.lineno, node.value)] if id(node) not in docstrings else []
        elif isinstance(node, ast.Import):
            imported += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imported += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return strings + [(line, name) for line, name in imported if name.startswith("ladder.")]


def rung_in(text):
    """Return the rung that a text names, or None.

    Numba's rungs have the same names as its functions. In a sentence `numba.njit` is the function;
    as the whole text it is a key.
    """
    keys = [key for key in KEYS if key != registry.BASE]
    own = "|".join(re.escape(key) for key in keys if not key.startswith("numba."))
    every = "|".join(map(re.escape, keys))
    match = re.search(rf"(?<![\w.])(?:{own}|ladder\.(?:{every}))(?!\w)|^(?:{every})$", text)
    return match and match[0].removeprefix("ladder.")


@pytest.mark.slow
def test_no_module_of_the_package_names_a_rung(root):
    """Except the base of all speed-ups: the properties of a rung are in its entry."""
    places = [
        f"{file.relative_to(root)}:{line} names {rung_in(text)}"
        for file in sorted(
            f for room in ("polymask", "ladder") for f in (root / room).rglob("*.py")
        )
        if file.parent != Path(registry.__file__).parent or file.stem not in ENTRIES
        for line, text in names_in_code(file)
        if rung_in(text)
    ]
    assert places == []


def test_no_template_names_a_rung(root):
    for file in (root / "ladder").rglob("*.jinja"):
        assert [key for key in KEYS if key in file.read_text(encoding="utf-8")] == [], file


def imports_of_the_project(file):
    """Return the project's modules that a rung's source imports or cimports."""
    text = Path(file).read_text()
    imported = set()
    if file.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                base = "." * node.level + (node.module or "")
                imported |= {f"{base}.{alias.name}" for alias in node.names}
    else:
        imports = re.findall(r"^\s*from\s+(\S+)\s+c?import\s+(\([^)]*\)|.+)$", text, re.M)
        for module, names in imports:
            parts = names.strip("()").strip().removesuffix(",").split(",")
            imported |= {f"{module}.{name.split()[0]}" for name in parts}
        imported |= set(re.findall(r"^\s*c?import\s+(\S+)", text, re.M))
    return {name for name in imported if name.startswith(("polymask", "ladder", "."))}


def test_imports_of_a_rung_are_found(tmp_path):
    """import-linter ignores folders that begin with a digit, and Cython."""
    python, cython = tmp_path / "a.py", tmp_path / "a.pyx"
    python.write_text(
        "import numpy, polymask.masks.zonal\nfrom .b import c\n"
        "from ladder.common import confidence\n"
    )
    assert imports_of_the_project(python) == {
        "polymask.masks.zonal",
        ".b.c",
        "ladder.common.confidence",
    }
    cython.write_text("cimport polymask.a\nfrom polymask.b cimport (\n    c,\n    d as e,\n)\n")
    assert imports_of_the_project(cython) == {"polymask.a", "polymask.b.c", "polymask.b.d"}


def test_every_module_of_the_folders_is_a_rung(root):
    """The next test therefore checks all of them."""
    files = {file.relative_to(root).as_posix() for file in root.glob("[0-9]_*/*.py*")}
    modules = {name for name in files if not name.endswith(("/__init__.py", ".pyc", ".pyi"))}
    assert modules == {rung.file for rung in registry.RUNGS}


@each_rung
def test_a_rung_imports_the_contract_its_kind_of_device_and_rungs_that_it_builds_on(rung, root):
    """The search for a device and its test are not part of a lesson, so they are imported."""
    before = (earlier.module_name for earlier in registry.chain(rung)[1:])
    allowed = {"polymask.contract", "polymask.common.kernel_text", *before}
    if rung.device:  # the base of a kind of device
        allowed.add(type(devices.kind(rung.device)).__module__.rpartition(".")[0])
    for name in imports_of_the_project(root / rung.file):
        module = name.rpartition(".")[0]
        assert {name, module} & allowed or module.startswith("ladder.devices"), name


@each_rung
def test_every_rung_calls_the_contracts_check(rung, root):
    before = registry.get(rung.before) if rung.before else rung
    has_its_host_program = f"from ladder.{before.key} import run" in rung.source()
    host = before if has_its_host_program else rung
    assert "contract.check(vertices, shape, border_value)" in host.source()


def test_the_reference_shares_no_code_with_a_rung(root):
    assert imports_of_the_project(Path(reference.__file__)) == {"polymask.contract"}


@folded("module", ["common/staleness", *(f"registry/{name}" for name in LADDER)])
def test_nothing_flows_back_to_the_driver(root, module):
    for name in imports_of_the_project(root / f"ladder/{module}.py"):
        assert name.startswith(BELOW)
