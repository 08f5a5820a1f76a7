"""Builds that fail, are interrupted or meet: no stale module is left, and the next mends it.

All in the copy of conftest.py.
"""

import os
import random
import re
import signal
import subprocess
import sysconfig
import time

import pytest
from checkouts import COMPILED, right

pytestmark = [
    pytest.mark.proof("setup.py", "Makefile", "polymask/building/*"),
]


def compiler(folder, name, script):
    """A compiler that runs some lines first."""
    file = folder / name
    file.write_text(f'#!/bin/sh\n{script}\nexec {name} "$@"\n')
    file.chmod(0o755)
    return str(file)


POOL = "csrc/engine/src/parallel/thread_pool.cpp"
# The modules that the engine is linked into; no other is renewed with it.
ENGINE = {"engine", "threads", "_engine", "_many", "_outlines", "_coverage"}
PUBLIC = """
import polymask
from polymask.ladder import reference
polygon, shape = [(1, 2), (9, 4), (3, 8)], (9, 9)
try:
    print((polymask.polygon_mask(polygon, shape) == reference.mask(polygon, shape)).all())
except ImportError as error:
    print(error)
"""

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
    assert masks["cython.typed"] == "not built: run `make build`, and read its output"
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
    (line,) = [line for line in said.splitlines() if line.startswith("error: ")]
    assert line == "error: polymask.clib.points does not compile: see the errors above"
    assert "Traceback" not in said
    masks = built.masks()
    assert masks["clib.points"].startswith("not built")
    assert masks["cython.typed"] == masks["cclass.polygon"] == "good"


def test_an_error_in_the_engine_leaves_no_module_of_it_and_touches_no_other(built, edit):
    before = built.modules()
    edit(POOL, "std::mutex mutex;", "std::no_such_type mutex;")
    code, said = built.build()
    assert code != 0
    assert re.search(rf"{POOL}:\d+:\d+: error: .*no_such_type", said)
    (line,) = [line for line in said.splitlines() if line.startswith("error: ")]
    assert line == "error: polymask.engine does not compile: see the errors above"
    assert "Traceback" not in said
    after = built.modules()
    gone = before.keys() - after.keys()
    assert gone == ENGINE
    assert all(after[name] == before[name] for name in after)
    masks = built.masks()
    for key in COMPILED:
        of_engine = key in ("scanline.engine", "scanline.threads")
        told = "not built: run `make build`, and read its output"
        assert masks[key] == (told if of_engine else "good")
    where = f"polymask.masks._engine is not built in {built.root}: run `make build` there"
    assert built.run(PUBLIC) == f"{where}\n"
    edit(POOL, "std::no_such_type mutex;", "std::mutex mutex;")
    assert built.build() == (0, "")
    assert built.modules().keys() == before.keys()
    assert built.run(PUBLIC) == "True\n"
    assert right(built.masks())


def test_a_module_that_cannot_be_imported_is_an_error_until_it_is_mended(built, edit):
    edit("csrc/points_inside_polygon.c", "void points_inside_polygon(", "void another_name(")
    for _ in range(2):
        code, said = built.build()
        assert code != 0
        (line,) = [line for line in said.splitlines() if "make:" not in line]
        assert line.startswith("polymask.clib.points was built, but cannot be imported: ")
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


def test_no_flag_of_the_user_undoes_what_masks_need(twin, tmp_path):
    log = tmp_path / "log"
    twin(
        "clib.points",
        CC=compiler(tmp_path, "cc", f'echo "$@" >>{log}'),
        CFLAGS="-ffp-contract=fast -ffast-math",
    )
    ran = [line.split() for line in log.read_text().splitlines() if "points" in line]
    assert any("-c" in words for words in ran)
    assert any("-shared" in words for words in ran)  # to which -ffast-math says: flush denormals
    for words in ran:
        contract = [word for word in words if word.startswith("-ffp-contract=")]
        assert (contract[0], contract[-1]) == ("-ffp-contract=fast", "-ffp-contract=off")
        fast = [word for word in words if word.endswith("fast-math")]
        assert (fast[0], fast[-1]) == ("-ffast-math", "-fno-fast-math")


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


@pytest.mark.parametrize("killed", ["the build alone", "its compilers, too"])
def test_a_build_that_is_killed_in_the_engine_is_mended_by_the_next(built, edit, killed):
    before = built.modules()
    edit(POOL, "namespace polymask", "/* a line */\nnamespace polymask")
    command = [built.python, "setup.py", "-q", "build_ext", "--inplace"]
    process = built.start(command, stdout=subprocess.DEVNULL)
    while not list(built.root.glob("build/scratch-*/temp/csrc/engine/src/**/*.o")):
        assert process.poll() is None, "the engine was not compiled"
        time.sleep(0.01)
    if killed == "the build alone":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert list(built.root.glob("build/scratch-*"))  # it had no time to tidy up
    assert before.keys() - built.modules().keys() == ENGINE
    code, said = built.build()
    assert (code, said) == (0, "")
    assert right(built.masks())
    assert built.run(PUBLIC) == "True\n"
    after = built.modules()
    assert {name for name in after if after[name] != before[name]} == ENGINE
    assert not list(built.root.glob("build/scratch-*"))
    assert built.build() == (0, "")
    assert built.modules() == after


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
