"""The decisions of the build, and the refusal to import stale modules.

test_build_robust.py and test_build_fails.py build in a copy of the checkout, as a user does.
"""

import errno
import importlib
import json
import os
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


@pytest.mark.parametrize(
    ("error", "free", "names_disk"),
    [
        (CompileError("command 'gcc' failed with exit code 1"), 2**40, False),
        (CompileError("command 'gcc' failed with exit code 1"), 0, True),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 2**40, True),
    ],
)
def test_a_build_that_fails_on_a_full_disk_names_the_disk(monkeypatch, error, free, names_disk):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    expected = saving.NotWritten if names_disk else CompileError
    with pytest.raises(expected) as exception, commands.report_full_disk():
        raise error
    assert ("cannot write build: no space left on its disk" in str(exception.value)) == names_disk


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
    stale = import_error(source)
    assert str(stale) == f"made_from is older than {source}: run `make build`"
    assert stale.name == "made_from"
    source.unlink()
    assert import_error(source)


def test_the_guard_ignores_other_modules(source):
    assert staleness.Guard({}).find_spec("made_from", [str(source.parent)]) is None
    (source.parent / "made_from.py").unlink()
    with pytest.raises(ModuleNotFoundError):
        import_error(source)


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


def test_an_unreadable_record_is_ignored(tmp_path):
    for text in '{"tools": {', "[]", '{"made": {}}', '{"format": 0, "tools": {}, "made": {}}':
        (tmp_path / "record.json").write_text(text)
        assert staleness.read(tmp_path / "record.json") is None
    assert Record(tmp_path / "record.json", {"cython": "3"}).entries == {}


def test_this_checkout_is_guarded():
    if not staleness.RECORD.exists():
        pytest.skip("no build in place here")
    guards = [finder for finder in sys.meta_path if isinstance(finder, staleness.Guard)]
    assert len(guards) == 1
    inputs = guards[0].inputs
    assert {"1_cython/typed.pyx", "csrc/inside_polygon.h", "setup.py"} <= {
        *inputs["ladder.cython.typed"]
    }
    assert "0_python/tuples.py" in inputs["ladder.cython.compiled"]
    assert "csrc/points_inside_polygon.c" in inputs["ladder.clib.points"]
    assert "csrc/engine/src/mask/fill.cpp" in inputs["ladder.scanline.engine"]
    for sources in inputs.values():
        assert [file for file in sources if not (staleness.ROOT / file).exists()] in (
            [],
            ["polymask/_cyutility.c"],  # written under build/
        )


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


# The lock.


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


def test_where_no_lock_can_be_made_one_line_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    lock = str(tmp_path / "file" / "lock")
    with pytest.raises(SystemExit, match=r"cannot.*file"), alone.alone(lock):
        pass


def test_a_lock_ends_with_the_process_that_holds_it(tmp_path):
    lock = str(tmp_path / "lock")
    command = [sys.executable, "-I", alone.__file__, lock]
    first = subprocess.Popen(
        [*command, sys.executable, "-c", "print('mine', flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert first.stdout.readline() == "mine\n"
    first.kill()
    first.wait()
    with alone.alone(lock):
        pass
    first.communicate("\n")


# Importing what was built.


@pytest.fixture
def package(tmp_path):
    """A package, from which files can be loaded under its name."""
    folder = tmp_path / "some_package"
    folder.mkdir()
    (folder / "__init__.py").touch()
    return folder


def import_modules(package, modules):
    """Import modules from their files, as the build does."""
    job = {
        "packages": {package.name: str(package)},
        "modules": {name: str(file) for name, file in modules.items()},
    }
    command = [sys.executable, "-I", importable.__file__]
    return ran(command, input=json.dumps(job))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("answer = 42", None),
        ("import no_such_package", None),  # like NumPy while pip builds a wheel
        ("import polymask.no_such_module", "No module named 'polymask.no_such_module'"),
        ("raise ImportError('undefined symbol: x')", "ImportError: undefined symbol: x"),
        ("raise SystemError('half made')", "SystemError: half made"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named(package, text, problem):
    (package / "module.py").write_text(text)
    completed = import_modules(package, {"some_package.module": package / "module.py"})
    assert completed.stderr == ""
    expected = f"some_package.module was built, but cannot be imported: {problem}\n"
    assert completed.stdout == (expected if problem else "")
    assert completed.returncode == bool(problem)
    # a package that cannot be imported, without NumPy, is not the module's problem
    (package / "__init__.py").write_text("import no_such_package")
    completed = import_modules(package, {"some_package.module": package / "module.py"})
    assert (completed.stdout, completed.stderr, completed.returncode) == ("", "", 0)


def test_modules_import_each_other_in_any_order_and_wherever_they_were_built(package, tmp_path):
    """While a wheel is built, they are not in the folders of their packages."""
    inner = package / "inner"
    inner.mkdir()
    (inner / "__init__.py").touch()
    built = tmp_path / "built"
    built.mkdir()
    (built / "a.py").write_text("from some_package.inner.b import answer\n")
    (built / "b.py").write_text("answer = 42\n")
    modules = {"some_package.a": built / "a.py", "some_package.inner.b": built / "b.py"}
    completed = import_modules(package, modules)
    assert (completed.returncode, completed.stdout + completed.stderr) == (0, "")


# The editable install.


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


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ("Command '['g++', 'a.cpp']' returned non-zero exit status 1.", "see the errors above"),
        ("command '/usr/bin/g++' failed with exit code 1", "see the errors above"),
        ("[Errno 2] No such file or directory: 'g++'", "No such file"),
        ("Command '['g++', 'a.cpp']' died with <Signals.SIGKILL: 9>.", "SIGKILL"),
    ],
)
def test_errors_refer_to_the_compilers_output_only_if_it_ran(message, cause):
    with pytest.raises(CompileError, match=cause), commands.shorten_error("polymask.engine"):
        raise CompileError(message)
