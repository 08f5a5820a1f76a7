"""A clone that cannot be broken: whatever is done to it, the next build mends it or says why not.

All in one copy of the checkout, in which first pip and then make builds: some minutes.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sysconfig
import time

import pytest
from checkouts import MASKS, Checkout

from polymask.ladder import registry

pytestmark = pytest.mark.slow

COMPILED = [rung.key for rung in registry.RUNGS if rung.compiled]


def right(masks):
    """Whether each compiled rung makes the mask, and no other makes a wrong one."""
    assert masks.keys() == {rung.key for rung in registry.RUNGS}
    assert "wrong" not in masks.values()
    bad = {k: v for k, v in masks.items() if k in COMPILED and v != "good"}
    assert all(why.startswith("built without OpenMP") for why in bad.values()), bad
    return True


@pytest.fixture(scope="module")
def checkout(root, tmp_path_factory):
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    if not (root / "Makefile").exists():
        pytest.skip("not in a checkout")
    return Checkout(root, tmp_path_factory.mktemp("build") / "a folder" / "polymask")


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    return tmp_path_factory.mktemp("empty")


def installed(checkout, target, empty):
    """Install the package by pip, elsewhere; what its rungs make there."""
    checkout.install(".", "--target", target)
    code = "import polymask; print(polymask.__file__)"
    path = {"PYTHONPATH": str(target)}
    assert checkout.check([checkout.python, "-c", code], empty, **path).startswith(str(target))
    said = checkout.check([checkout.python, "-c", MASKS], empty, **path)
    return json.loads(said.splitlines()[-1])


@pytest.fixture(scope="module")
def before_make(checkout, tmp_path_factory, empty):
    """What the rungs make that pip installed from a clone in which make had not run."""
    return installed(checkout, tmp_path_factory.mktemp("before"), empty)


@pytest.fixture(scope="module")
def once_built(checkout, before_make):
    """The copy, built."""
    code, said = checkout.build()
    assert (code, said) == (0, "")
    return checkout


@pytest.fixture
def built(once_built):
    """The copy, built; afterwards it is put back as it was, with all that a build had written."""
    kept = once_built.root.parent / "kept"
    names = [path.relative_to(once_built.root) for path in once_built.files()]
    shutil.copytree(once_built.root / "build", kept / "build")
    for name in names:
        (kept / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(once_built.root / name, kept / name)
    yield once_built
    shutil.rmtree(once_built.root / "build")
    shutil.move(kept / "build", once_built.root / "build")
    for file in once_built.files():
        file.unlink()
    for name in names:
        shutil.move(kept / name, once_built.root / name)
    shutil.rmtree(kept)


@pytest.fixture
def edit(built):
    """Return a function that changes a file of the copy; it is put back afterwards."""
    texts = {}

    def change(name, old, new):
        file = built.root / name
        text = file.read_text()
        texts.setdefault(file, text)
        assert old in text
        file.write_text(text.replace(old, new, 1))

    yield change
    for file, text in texts.items():
        file.write_text(text)


# What is built at all.


def test_pip_install_in_a_clone_without_make(before_make):
    assert right(before_make)


def test_make_build_after_pip(built):
    assert right(built.masks())
    code = (
        "import polymask.cython.typed as t, polymask.contract as r; print(t.__file__, r.__file__)"
    )
    assert built.run(code).count(str(built.root)) == 2


def test_a_script_beside_the_clone_finds_every_rung(built):
    """It has the parent folder on its path, where the clone passes for a namespace package."""
    script = built.root.parent / "script.py"
    script.write_text(MASKS)
    said = built.check([built.python, "script.py"], built.root.parent)
    assert right(json.loads(said.splitlines()[-1]))


def test_pip_install_after_make(built, tmp_path, empty):
    before = built.modules()
    (lib,) = (built.root / "build").glob("lib.*")  # what pip built before
    (lib / "polymask/deleted_since.py").touch()
    assert right(installed(built, tmp_path / "target", empty))
    assert not (tmp_path / "target/polymask/deleted_since.py").exists()
    assert built.modules() == before  # what is in place is not touched
    assert built.build() == (0, "")
    assert built.modules() == before


def test_a_second_build_compiles_nothing(built):
    before = built.modules()
    assert built.build() == (0, "")
    assert built.modules() == before


# Acts that change nothing.


def test_deleting_the_environment_and_moving_the_folder(built):
    """A .venv of another folder would run the code there: make sets up anew, and keeps the rest."""
    assert "--clear" not in built.check(["make", "-n", "build"])
    before = built.modules()
    home = built.root
    built.root = home.rename(home.with_name("moved"))
    try:
        assert "--clear .venv" in built.check(["make", "-n", "build"])
        shutil.rmtree(built.root / ".venv")
        assert "--clear .venv" in built.check(["make", "-n", "build"])
        built.set_up()
        assert "--clear" not in built.check(["make", "-n", "build"])
        assert built.build() == (0, "")
        assert built.modules() == before
        assert right(built.masks())
    finally:
        built.root = built.root.rename(home)
        built.set_up()


def test_an_environment_without_its_python_is_made_anew(built):
    python = built.root / ".venv/bin/python"
    kept = python.rename(python.with_name("kept"))
    try:
        assert "--clear .venv" in built.check(["make", "-n", "build"])
    finally:
        kept.rename(python)


@pytest.fixture
def own_cython(built):
    """The copy has a Cython of its own; return the folder."""
    own = built.site() / "Cython"
    shutil.copytree(built.run("import Cython; print(Cython.__path__[0])").strip(), own)
    yield own
    shutil.rmtree(own)


def test_touching_files(built, own_cython):
    before = built.modules()
    touched = [*own_cython.rglob("*.pxd"), *(built.root / "csrc").rglob("*.h*")]
    touched += [built.root / rung.file for rung in registry.RUNGS]
    assert len(touched) > 30
    for file in touched:
        os.utime(file)
    assert right(built.masks())  # not refused, either
    assert built.build() == (0, "")
    assert built.modules() == before


# Acts that change something.


def test_one_changed_rung_is_refused_and_then_renewed_alone(built, edit):
    before = built.modules()
    edit("0_python/tuples.py", "inside = False", "inside = bool(0)")
    masks = built.masks()
    assert masks["cython.compiled"] == (
        "polymask.cython.compiled is older than 0_python/tuples.py: run `make build`"
    )
    assert masks["python.tuples"] == masks["cython.typed"] == "good"
    assert built.build() == (0, "")
    assert right(built.masks())
    after = built.modules()
    assert {name for name in after if after[name] != before[name]} == {"compiled"}


def test_a_changed_header_renews_every_module(built, edit):
    before = built.modules()
    edit("csrc/inside_polygon.h", "#ifndef", "/* another line */\n#ifndef")
    header = built.root / "csrc/inside_polygon.h"
    os.utime(header, (0, 0))  # and that it looks older than the modules does not matter
    masks = built.masks()
    for key in COMPILED:
        assert "is older than csrc/inside_polygon.h: run `make build`" in masks[key]
    assert built.build() == (0, "")
    after = built.modules()
    assert after.keys() == before.keys()
    assert all(after[name] > before[name] for name in after)
    assert right(built.masks())


def test_modules_that_were_deleted_damaged_or_exchanged_are_made_anew(built):
    files = {file.stem.split(".")[0]: file for file in built.files()}
    files["points"].unlink()
    files["polygon"].write_bytes(files["polygon"].read_bytes()[:5000])
    shutil.copy(files["typed"], files["_cyutility"])
    (built.root / "build/cython/polymask/_cyutility.c").write_text("half of a")
    (built.root / "build/store/libpolymask_engine.a").write_bytes(b"!<arch>\n")
    assert built.build() == (0, "")
    assert right(built.masks())


def test_a_module_that_setup_py_names_no_more_is_deleted(built):
    (record,) = (built.root / "build").glob("record-*.json")
    told = json.loads(record.read_text())
    told["made"]["polymask.cython.renamed"] = told["made"]["polymask.cython.typed"]
    record.write_text(json.dumps(told))
    (typed,) = built.root.glob("1_cython/typed.*.so")
    renamed = shutil.copy(typed, typed.with_name(typed.name.replace("typed", "renamed")))
    assert built.build() == (0, "")
    assert typed.exists()
    assert not renamed.exists()
    assert "polymask.cython.renamed" not in json.loads(record.read_text())["made"]


def test_a_damaged_record_does_not_keep_the_rungs_from_running(built):
    (record,) = (built.root / "build").glob("record-*.json")
    record.write_text(record.read_text()[:1000])
    assert right(built.masks())


@pytest.fixture
def twin(built, tmp_path):
    """Build one module as a profiler does, elsewhere; return when it was made."""

    def build(key="cclass.polygon", *options, **environment):
        place = tmp_path / "twin"
        said = built.check(
            [built.python, "setup.py", "-q", "build_ext", f"--only={key}", *options]
            + [f"--build-lib={place / 'lib'}", f"--build-temp={place / 'temp'}"],
            **environment,
        )
        (file,) = place.rglob(f"lib/polymask/**/{key.rpartition('.')[2]}.*.so")
        return file, file.stat().st_mtime_ns, said

    return build


def test_an_upgrade_of_cython_renews(built, twin):
    first, again = twin()[1], twin()[1]
    assert again == first
    newer = built.site() / "Cython-99.0.dist-info"
    newer.mkdir()
    try:
        (newer / "METADATA").write_text("Metadata-Version: 2.1\nName: Cython\nVersion: 99.0\n")
        upgraded = twin()[1]
        assert upgraded > first
        assert twin()[1] == upgraded
    finally:
        shutil.rmtree(newer)


def test_other_flags_renew(twin):
    first = twin()[1]
    assert twin(CFLAGS="-O1")[1] > first
    assert twin("cclass.polygon", "--profile")[1] > first


def compiler(folder, name, script):
    """A compiler that runs some lines first."""
    file = folder / name
    file.write_text(f'#!/bin/sh\n{script}\nexec {name} "$@"\n')
    file.chmod(0o755)
    return str(file)


NO_OPENMP = 'for a; do case $a in *fopenmp*) echo "unknown option $a" >&2; exit 1;; esac; done\n'


def test_without_openmp_there_is_a_warning_and_all_but_the_threads_work(built, twin, tmp_path):
    compilers = {
        "CC": compiler(tmp_path, "cc", NO_OPENMP),
        "CXX": compiler(tmp_path, "c++", NO_OPENMP),
    }
    rung, _, said = twin("openmp.prange", **compilers)
    openmp, _, _ = twin("devices.openmp", **compilers)
    assert "NO OPENMP" in said
    assert str(tmp_path / "cc") in said
    assert "Traceback" not in said
    assert "unknown option" not in said  # the probe's own errors are of no use
    code = f"""
import sys
from importlib.util import module_from_spec, spec_from_file_location
def load(name, file):
    spec = spec_from_file_location(name, file)
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
openmp = load("polymask.devices.openmp", {str(openmp)!r})
rung = load("polymask.openmp.prange", {str(rung)!r})
from polymask.ladder import reference, registry
v = [(1, 2), (9, 4), (3, 8)]
print(openmp.OPENMP, (rung.make_mask(v, (9, 9), threads=2) == reference.mask(v, (9, 9))).all())
try:
    rung.check()
except registry.Unavailable as error:
    print(error)
"""
    lines = built.run(code).splitlines()
    assert lines[0] == "0 True"  # called all the same, it is right with the one thread it has
    assert lines[1].startswith("built without OpenMP: install libgomp")
    assert "NO OPENMP" in twin("openmp.prange", **compilers)[2]  # as long as it is missing
    assert "NO OPENMP" not in twin("openmp.prange")[2]  # and found without more ado


# Builds that fail.


def test_a_syntax_error_in_cython_leaves_no_stale_module(built, edit):
    edit("1_cython/typed.pyx", "cdef bint inside = False", "cdef bint inside = = False")
    code, said = built.build()
    assert code != 0
    assert "1_cython/typed.pyx:" in said
    assert "Traceback" not in said
    masks = built.masks()
    assert masks["cython.typed"] == "not built: run `make build`, and read what it prints"
    assert masks["clib.points"] == "good"
    assert built.build()[0] != 0  # and it stays an error until it is mended
    edit("1_cython/typed.pyx", "= = False", "= False")
    assert built.build() == (0, "")
    assert right(built.masks())


def test_a_c_error_leaves_no_stale_module_and_keeps_the_others(built, edit):
    edit("csrc/points_inside_polygon.c", "for (ptrdiff_t i = 0", "for (no_such_type i = 0")
    edit("1_cython/typed.pyx", "cdef bint inside = False", "cdef bint inside = 0")
    code, said = built.build()
    assert code != 0
    assert "no_such_type" in said
    assert "Traceback" not in said
    masks = built.masks()
    assert masks["clib.points"].startswith("not built")
    assert masks["cython.typed"] == masks["cclass.polygon"] == "good"


def test_a_changed_c_file_is_compiled_again(built, edit):
    edit("csrc/points_inside_polygon.c", "n, border_value);", "n, !border_value);")
    assert "is older than csrc/points_inside_polygon.c" in built.masks()["clib.points"]
    assert built.build() == (0, "")
    assert built.masks()["clib.points"] == "wrong"  # the change is there


def test_a_module_that_cannot_be_imported_is_an_error_until_it_is_mended(built, edit):
    edit("csrc/points_inside_polygon.c", "void points_inside_polygon(", "void another_name(")
    for _ in range(2):
        code, said = built.build()
        assert code != 0
        (line,) = [line for line in said.splitlines() if "make:" not in line]
        assert line.startswith("polymask.clib.points was built and cannot be imported: ")
        assert "undefined symbol: points_inside_polygon" in line


def test_a_module_for_another_machine_is_not_imported(edit, twin, tmp_path):
    """As tests/emulated.sh builds: Python is told that it is the one of another machine."""
    edit("csrc/points_inside_polygon.c", "void points_inside_polygon(", "void another_name(")
    suffix = ".cpython-399-another-machine.so"
    told = {**sysconfig.get_config_vars(), "EXT_SUFFIX": suffix}
    told = {name: value for name, value in told.items() if isinstance(value, (str, int))}
    (tmp_path / "another_machine.py").write_text(f"build_time_vars = {told!r}\n")
    file, _, _ = twin(
        "clib.points", _PYTHON_SYSCONFIGDATA_NAME="another_machine", PYTHONPATH=str(tmp_path)
    )
    assert file.name == f"points{suffix}"


# Builds that are interrupted, or meet.


def test_an_interrupted_build_is_mended_by_the_next(built, edit, interruptible):
    """Twenty builds, killed or interrupted at moments spread over the time that one takes."""
    moments = random.Random(20)
    edit("4_openmp/prange.pyx", "\n", "\n# 0\n")
    started = time.monotonic()
    assert built.build() == (0, "")
    whole = time.monotonic() - started
    for i in range(20):
        edit("4_openmp/prange.pyx", f"# {i}\n", f"# {i + 1}\n")
        edit("3_cclass/polygon.pyx", "\n", f"\n# {i}\n")
        command = [built.python, "setup.py", "-q", "build_ext", "--inplace"]
        process = built.start(command, stdout=subprocess.DEVNULL)
        try:
            process.wait(timeout=moments.uniform(0.1, whole))
        except subprocess.TimeoutExpired:
            if i % 2:  # Ctrl-C: all in the foreground are told
                os.killpg(process.pid, signal.SIGINT)
            else:  # the build alone: its compilers go on
                process.kill()
        process.wait()
        states = built.masks().values()
        assert "wrong" not in states
        assert not [why for why in states if "undefined symbol" in why or "too short" in why]
    code, said = built.build()
    assert code == 0, said
    assert right(built.masks())
    assert not list((built.root / "build").glob("scratch-*"))


def test_two_builds_at_once(built, edit):
    edit("4_openmp/prange.pyx", "\n", "\n# another line\n")
    edit("3_cclass/polygon.pyx", "\n", "\n# another line\n")
    both = [built.start(["make", "build"]) for _ in range(2)]
    said = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert set(said) <= {"", "another build is running here: waiting for it\n"}
    assert right(built.masks())
    after = built.modules()
    assert built.build() == (0, "")
    assert built.modules() == after


def test_an_editable_install_over_a_build_compiles_nothing_and_keeps_openmp(built):
    before = built.modules()
    built.install("-e", ".")
    assert built.modules() == before
    assert right(built.masks())


def test_the_record_names_every_module(built):
    (record,) = (built.root / "build").glob("record-*.json")
    names = {name.rpartition(".")[2] for name in json.loads(record.read_text())["made"]}
    assert names - {"engine"} == built.modules().keys() - {"engine"}
