"""The decisions of the build, and the refusal to import stale modules.

test_build_robust.py and test_build_fails.py build in a copy of the checkout, as a user does.
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import fresh_python
import pytest
from commands import ran
from setuptools.errors import CompileError

from building import alone, commands, importable
from building.record import Record
from ladder import registry
from ladder.common import staleness
from ladder.registry.rung import Rung
from polymask.common import saving


@pytest.mark.parametrize(("free", "expected"), [(2**40, CompileError), (0, saving.NotWritten)])
def test_a_build_that_fails_on_a_full_disk_names_the_disk(monkeypatch, free, expected):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    with pytest.raises(expected, match="disk" if free == 0 else "gcc"), commands.report_full_disk():
        raise CompileError("command 'gcc' failed with exit code 1")


# The guard, with its own modules and inputs and never with the times of real files.


@pytest.fixture
def source(tmp_path, monkeypatch):
    """The source of a module `made_from` on the path, which a guard protects."""
    (tmp_path / "made_from.py").write_text("answer = 42\n")
    source = tmp_path / "source.pyx"
    source.write_text("answer = 42\n")
    guard = staleness.Guard(
        {"made_from": {str(source): staleness.digest(source), "no such file": None}}
    )
    monkeypatch.setattr(sys, "meta_path", [guard, *sys.meta_path])
    monkeypatch.syspath_prepend(tmp_path)
    yield source
    sys.modules.pop("made_from", None)


def import_error(source):
    """Import the module again; return the error if it is refused."""
    sys.modules.pop("made_from", None)
    try:
        assert importlib.import_module("made_from").answer == 42
    except staleness.StaleModule as stale:
        return stale
    return None


def test_a_module_of_other_inputs_is_refused(source):
    """Times do not matter: a touched file is unchanged, an edited one with its old time is not."""
    os.utime(source)
    assert import_error(source) is None
    source.write_text("answer = 43\n")
    os.utime(source, (0, 0))
    assert str(import_error(source)) == f"made_from is older than {source}: run `make build`"
    source.unlink()
    assert import_error(source)


def test_a_stale_rung_is_unavailable_and_says_why(source):
    name = "ladder.made_from"
    sys.meta_path.insert(0, staleness.Guard({name: {str(source): "another digest"}}))
    import ladder

    ladder.__path__.append(str(source.parent))
    try:
        with pytest.raises(registry.Unavailable, match=r"older.*`make.*build`"):
            Rung("made_from", "", "").load()
    finally:
        ladder.__path__.pop()


def test_the_guard_is_installed_once_and_only_after_a_build(tmp_path, monkeypatch):
    others = [finder for finder in sys.meta_path if not isinstance(finder, staleness.Guard)]
    monkeypatch.setattr(sys, "meta_path", others.copy())
    monkeypatch.setattr(staleness, "RECORD", tmp_path / "record.json")
    staleness.guard()
    assert sys.meta_path == others
    record = Record(tmp_path / "record.json", {})
    record.add("polymask.some", tmp_path / "some.so", {"setup.py": "digest"}, "recipe")
    staleness.guard()
    staleness.guard()
    assert isinstance(sys.meta_path[0], staleness.Guard)
    assert sys.meta_path[0].inputs == {"polymask.some": {"setup.py": "digest"}}
    assert sys.meta_path[1:] == others


# The record.

TOOLS = {"cython": "3.3.1", "compilers": ["gcc", "gcc 12.2.0"]}


@pytest.fixture
def plan(tmp_path):
    """Write a record with one module in it; return the arguments that describe the module."""
    file, source = tmp_path / "module.so", tmp_path / "module.pyx"
    file.write_text("binary")
    source.write_text("text")
    plan = {
        "file": file,
        "inputs": {str(source): staleness.digest(source)},
        "recipe": ["c++", ["-O3"], {"annotate": True}],
    }
    Record(tmp_path / "record.json", TOOLS).add("module", **plan)
    return plan


@pytest.fixture
def record(tmp_path, plan):
    """Read that record again."""
    return lambda tools=TOOLS: Record(tmp_path / "record.json", tools)


@pytest.mark.parametrize(
    ("tools", "change"),
    [
        ({"cython": "3.4"}, {}),
        ({"compilers": ["gcc", "gcc 13"]}, {}),
        ({"more": 1}, {}),
        ({}, {"inputs": {"another": "digest"}}),
        ({}, {"inputs": {}}),
        ({}, {"recipe": ["c++", ["-O2"], {"annotate": True}]}),
    ],
)
def test_another_tool_renews_everything_and_another_input_or_flag_its_module(
    record, plan, tools, change
):
    assert record().is_fresh("module", **plan)
    assert not record().is_fresh("another", **plan)
    assert not record(TOOLS | tools).is_fresh("module", **plan | change)


def test_a_compiler_that_is_gone_renews_nothing(tmp_path, record, plan):
    """Otherwise it would delete modules that cannot be built again."""
    without_compiler = {**TOOLS, "compilers": None}
    assert record(without_compiler).is_fresh("module", **plan)
    assert record(without_compiler).tools == TOOLS
    assert Record(tmp_path / "no record", without_compiler).tools == without_compiler


@pytest.mark.parametrize(
    "change",
    [
        lambda file, record: file.write_text("bin"),  # an interrupted copy
        lambda file, record: file.unlink(),
        lambda file, record: record().forget(["module"]),
    ],
)
def test_a_changed_module_is_stale(record, plan, change):
    change(plan["file"], record)
    assert not record().is_fresh("module", **plan)


def test_the_second_waits_for_the_first(tmp_path):
    lock = str(tmp_path / "new folder" / "lock")
    command = [sys.executable, "-I", alone.__file__, lock]
    with alone.alone(lock):
        second = subprocess.Popen(
            [*command, sys.executable, "-c", "print('now'); raise SystemExit(3)"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert second.stderr.readline() == "another build is running here: waiting for it\n"
        assert second.poll() is None
    assert second.communicate()[0] == "now\n"
    assert second.returncode == 3


def test_an_impossible_lock_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    lock = str(tmp_path / "file" / "lock")
    with pytest.raises(SystemExit, match=r"cannot.*file"), alone.alone(lock):
        pass


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("import some_package.b", None),  # in any order, wherever the modules were built
        ("import no_such_package", None),  # like NumPy while pip builds a wheel
        ("import polymask.no_such_module", "No module named 'polymask.no_such_module'"),
        ("raise ImportError('undefined symbol: x')", "ImportError: undefined symbol: x"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named(tmp_path, text, problem):
    package, built = tmp_path / "some_package", tmp_path / "built"
    for folder in (package, built):
        folder.mkdir()
    (package / "__init__.py").touch()
    (built / "a.py").write_text(text)
    (built / "b.py").write_text("answer = 42")
    modules = {f"some_package.{name}": str(built / f"{name}.py") for name in "ab"}
    job = {"packages": {"some_package": str(package)}, "modules": modules}
    completed = ran([sys.executable, "-I", importable.__file__], input=json.dumps(job))
    expected = f"some_package.a was built, but cannot be imported: {problem}\n"
    assert completed.stderr == ""
    assert completed.stdout == (expected if problem else "")
    assert completed.returncode == bool(problem)


def test_a_script_beside_a_clone_finds_the_package(tmp_path, root):
    """The clone is also called polymask: it could be taken for a namespace package."""
    if not staleness.RECORD.exists():
        pytest.skip("no build in place here")
    (tmp_path / "polymask").symlink_to(root)
    script = tmp_path / "script.py"
    script.write_text(
        "import polymask, ladder.cython.typed\nprint(polymask.__file__, polymask.polygon_mask)\n"
    )
    completed = fresh_python.run(script, cwd=tmp_path)
    assert completed.stdout.startswith(str(root / "polymask/__init__.py")), completed.stderr


@pytest.mark.skipif(not shutil.which("nm"), reason="needs nm")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="symbols as on Linux")
@pytest.mark.parametrize("name", ["polymask.masks._engine", "ladder.scanline.threads"])
def test_modules_keep_the_engine_to_themselves(name):
    """Another module with an engine of its own must not use this one's functions."""
    file = importlib.util.find_spec(name).origin
    symbols = ran(["nm", "-D", "--defined-only", "-C", file], check=True).stdout
    assert f"PyInit_{name.rpartition('.')[2]}" in symbols
    assert not re.search("polymask(::|_)", symbols)
