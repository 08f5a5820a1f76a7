"""The build: what it decides, and that importing refuses what is stale.

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

from polymask.building import alone, commands, importable
from polymask.building.record import Record
from polymask.common import saving, staleness
from polymask.ladder import registry
from polymask.ladder.rung import Rung


@pytest.mark.parametrize(
    ("error", "free", "named"),
    [
        (CompileError("command 'gcc' failed with exit code 1"), 2**40, False),
        (CompileError("command 'gcc' failed with exit code 1"), 0, True),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 2**40, True),
    ],
)
def test_a_build_that_fails_on_a_full_disk_names_the_disk(monkeypatch, error, free, named):
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))
    expected = saving.NotWritten if named else CompileError
    with pytest.raises(expected) as found, commands.report_full_disk():
        raise error
    assert ("cannot write build: no space left on its disk" in str(found.value)) == named


# The guard: with modules and inputs of its own, never with the times of the real files.


@pytest.fixture
def source(tmp_path, monkeypatch):
    """The source of a module `made_from`, in a folder of the path; a guard knows it."""
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


def imports(source):
    """Import the module anew; return the error if it is refused."""
    sys.modules.pop("made_from", None)
    try:
        assert importlib.import_module("made_from").answer == 42
    except staleness.StaleModule as stale:
        return stale
    return None


def test_a_module_of_other_inputs_is_refused(source):
    """Times say nothing: a file that was touched is what it was, and one with its old time not."""
    os.utime(source)
    assert imports(source) is None
    source.write_text("answer = 43\n")
    os.utime(source, (0, 0))
    stale = imports(source)
    assert str(stale) == f"made_from is older than {source}: run `make build`"
    assert stale.name == "made_from"
    source.unlink()
    assert imports(source)


def test_other_modules_are_not_the_guards_business(source):
    assert staleness.Guard({}).find_spec("made_from", [str(source.parent)]) is None
    (source.parent / "made_from.py").unlink()
    with pytest.raises(ModuleNotFoundError):
        imports(source)


def test_a_stale_rung_is_unavailable_and_says_why(source):
    name = "polymask.made_from"
    sys.meta_path.insert(0, staleness.Guard({name: {str(source): "another digest"}}))
    import polymask

    polymask.__path__.append(str(source.parent))
    try:
        with pytest.raises(registry.Unavailable, match=r"older.*`make.*build`"):
            Rung("made_from", "", "").load()
    finally:
        polymask.__path__.pop()


def test_the_guard_stands_once_and_only_where_there_was_a_build(tmp_path, monkeypatch):
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


def test_a_record_that_cannot_be_read_is_none(tmp_path):
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
        *inputs["polymask.cython.typed"]
    }
    assert "0_python/tuples.py" in inputs["polymask.cython.compiled"]
    assert "csrc/points_inside_polygon.c" in inputs["polymask.clib.points"]
    assert "csrc/engine/src/mask/fill.cpp" in inputs["polymask.scanline.engine"]
    for sources in inputs.values():
        assert [file for file in sources if not (staleness.ROOT / file).exists()] in (
            [],
            ["polymask/_cyutility.c"],  # written under build/
        )


# The record.

TOOLS = {"cython": "3.3.1", "compilers": ["gcc", "gcc 12.2.0"]}


@pytest.fixture
def made(tmp_path):
    """A record that was written with one module in it, and what it was asked to record."""
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
def record(tmp_path, made):
    """Read that record anew."""
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
    record, made, tools, change
):
    assert record().is_fresh("module", **made)
    assert not record().is_fresh("another", **made)
    assert not record(TOOLS | tools).is_fresh("module", **made | change)


def test_a_compiler_that_is_gone_renews_nothing(tmp_path, record, made):
    """It could not: the modules would be deleted, and nothing would come in their place."""
    gone = {**TOOLS, "compilers": None}
    assert record(gone).is_fresh("module", **made)
    assert record(gone).tools == TOOLS
    assert Record(tmp_path / "no record", gone).tools == gone


@pytest.mark.parametrize(
    "change",
    [
        lambda file, record: file.write_text("bin"),  # a copy that was interrupted
        lambda file, record: file.unlink(),
        lambda file, record: record().forget(["module"]),
    ],
)
def test_a_module_that_is_not_what_was_made_is_stale(record, made, change):
    change(made["file"], record)
    assert not record().is_fresh("module", **made)


# The lock.


def test_the_second_waits_for_the_first(tmp_path):
    lock = str(tmp_path / "new folder" / "lock")
    told = [sys.executable, "-I", alone.__file__, lock]
    with alone.alone(lock):
        second = subprocess.Popen(
            [*told, sys.executable, "-c", "print('now'); raise SystemExit(3)"],
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
    told = [sys.executable, "-I", alone.__file__, lock]
    first = subprocess.Popen(
        [*told, sys.executable, "-c", "print('mine', flush=True); input()"],
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


def imported(package, modules):
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
        ("import no_such_package", None),  # NumPy, where pip builds a wheel
        ("import polymask.no_such_module", "No module named 'polymask.no_such_module'"),
        ("raise ImportError('undefined symbol: x')", "ImportError: undefined symbol: x"),
        ("raise SystemError('half made')", "SystemError: half made"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named(package, text, problem):
    (package / "module.py").write_text(text)
    done = imported(package, {"some_package.module": package / "module.py"})
    assert done.stderr == ""
    expected = f"some_package.module was built, but cannot be imported: {problem}\n"
    assert done.stdout == (expected if problem else "")
    assert done.returncode == bool(problem)
    # that its package cannot be imported, for want of NumPy, is no problem of the module's
    (package / "__init__.py").write_text("import no_such_package")
    done = imported(package, {"some_package.module": package / "module.py"})
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_modules_import_each_other_in_any_order_and_wherever_they_were_built(package, tmp_path):
    """In the build of a wheel they lie apart from their packages."""
    inner = package / "inner"
    inner.mkdir()
    (inner / "__init__.py").touch()
    built = tmp_path / "built"
    built.mkdir()
    (built / "a.py").write_text("from some_package.inner.b import answer\n")
    (built / "b.py").write_text("answer = 42\n")
    modules = {"some_package.a": built / "a.py", "some_package.inner.b": built / "b.py"}
    done = imported(package, modules)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


# The editable install.


def test_a_script_beside_a_clone_finds_the_package(tmp_path, root):
    """The clone is called polymask, too: there it passes for a namespace package."""
    if not staleness.RECORD.exists():
        pytest.skip("no build in place here")
    (tmp_path / "polymask").symlink_to(root)
    script = tmp_path / "script.py"
    script.write_text(
        "import polymask, polymask.cython.typed\nprint(polymask.__file__, polymask.polygon_mask)\n"
    )
    done = fresh_python.run(script, cwd=tmp_path)
    assert done.stdout.startswith(str(root / "polymask/__init__.py")), done.stderr


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Command '['g++', 'a.cpp']' returned non-zero exit status 1.", "see the errors above"),
        ("command '/usr/bin/g++' failed with exit code 1", "see the errors above"),
        ("[Errno 2] No such file or directory: 'g++'", "No such file"),
        ("Command '['g++', 'a.cpp']' died with <Signals.SIGKILL: 9>.", "SIGKILL"),
    ],
)
def test_a_compiler_that_refuses_has_said_why_and_one_that_did_not_run_has_not(said, told):
    with pytest.raises(CompileError, match=told), commands.shorten_error("polymask.engine"):
        raise CompileError(said)
