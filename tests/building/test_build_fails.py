"""Failed, interrupted and concurrent builds leave no stale module; the next build repairs them.

All of them run in the copy from conftest.py.
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
    pytest.mark.proof("setup.py", "Makefile", "building/*"),
]


def compiler(folder, name, script):
    """Write a compiler that runs a script first; return its path."""
    file = folder / name
    file.write_text(f'#!/bin/sh\n{script}\nexec {name} "$@"\n')
    file.chmod(0o755)
    return str(file)


POOL = "csrc/engine/src/parallel/thread_pool.cpp"
# The modules that are linked with the engine; no others are rebuilt with it.
ENGINE = {
    "engine", "threads", "_engine", "_many", "_outlines", "_summaries", "_coverage", "_rle"
}  # fmt: skip
PUBLIC = """
import polymask
from ladder.registry import reference
polygon, shape = [(1, 2), (9, 4), (3, 8)], (9, 9)
try:
    print((polymask.polygon_mask(polygon, shape) == reference.mask(polygon, shape)).all())
except ImportError as error:
    print(error)
"""

NO_OPENMP = 'for a; do case $a in *fopenmp*) echo "unknown option $a" >&2; exit 1;; esac; done\n'


def test_without_openmp_there_is_a_warning_and_all_but_the_threads_work(clone, twin, tmp_path):
    compilers = {
        "CC": compiler(tmp_path, "cc", NO_OPENMP),
        "CXX": compiler(tmp_path, "c++", NO_OPENMP),
    }
    rung, _, output = twin("openmp.prange", **compilers)
    openmp, _, _ = twin("devices.openmp", **compilers)
    assert "NO OPENMP" in output
    assert str(tmp_path / "cc") in output
    assert "Traceback" not in output
    assert "unknown option" not in output  # the probe's own errors do not help
    code = f"""
import sys
from importlib.util import module_from_spec, spec_from_file_location
def load(name, file):
    spec = spec_from_file_location(name, file)
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
openmp = load("ladder.devices.openmp", {str(openmp)!r})
rung = load("ladder.openmp.prange", {str(rung)!r})
from ladder import registry
from ladder.registry import reference
v = [(1, 2), (9, 4), (3, 8)]
print(openmp.OPENMP, (rung.make_mask(v, (9, 9), threads=2) == reference.mask(v, (9, 9))).all())
try:
    rung.check()
except registry.Unavailable as error:
    print(error)
"""
    lines = clone.run(code).splitlines()
    assert lines[0] == "0 True"  # if called anyway, it is right with its only thread
    assert lines[1].startswith("built without OpenMP: install libgomp")
    assert "NO OPENMP" in twin("openmp.prange", **compilers)[2]  # as long as OpenMP is missing
    assert "NO OPENMP" not in twin("openmp.prange")[2]  # found as soon as it is installed


# Builds that fail.


def test_a_syntax_error_in_cython_leaves_no_stale_module(clone, edit):
    edit("1_cython/typed.pyx", "cdef bint inside = False", "cdef bint inside = = False")
    code, output = clone.build()
    assert code != 0
    assert "1_cython/typed.pyx:" in output
    assert "Traceback" not in output
    masks = clone.masks()
    assert masks["cython.typed"] == "not built: run `make build`, and read its output"
    assert masks["clib.points"] == "good"
    assert clone.build()[0] != 0  # it remains an error until it is fixed
    edit("1_cython/typed.pyx", "= = False", "= False")
    assert clone.build() == (0, "")
    assert right(clone.masks())


def test_a_c_error_leaves_no_stale_module_and_keeps_the_others(clone, edit):
    edit("csrc/points_inside_polygon.c", "for (ptrdiff_t i = 0", "for (no_such_type i = 0")
    edit("1_cython/typed.pyx", "cdef bint inside = False", "cdef bint inside = 0")
    code, output = clone.build()
    assert code != 0
    assert "no_such_type" in output
    (line,) = [line for line in output.splitlines() if line.startswith("error: ")]
    assert line == "error: ladder.clib.points does not compile: see the errors above"
    assert "Traceback" not in output
    masks = clone.masks()
    assert masks["clib.points"].startswith("not built")
    assert masks["cython.typed"] == masks["cclass.polygon"] == "good"


def test_an_error_in_the_engine_leaves_no_module_of_it_and_touches_no_other(clone, edit):
    before = clone.modules()
    edit(POOL, "std::mutex mutex;", "std::no_such_type mutex;")
    code, output = clone.build()
    assert code != 0
    assert re.search(rf"{POOL}:\d+:\d+: error: .*no_such_type", output)
    (line,) = [line for line in output.splitlines() if line.startswith("error: ")]
    assert line == "error: polymask.engine does not compile: see the errors above"
    assert "Traceback" not in output
    after = clone.modules()
    removed = before.keys() - after.keys()
    assert removed == ENGINE
    assert all(after[name] == before[name] for name in after)
    masks = clone.masks()
    for key in COMPILED:
        of_engine = key in ("scanline.engine", "scanline.threads")
        message = "not built: run `make build`, and read its output"
        assert masks[key] == (message if of_engine else "good")
    error = f"polymask.masks._engine is not built in {clone.root}: run `make build` there"
    assert clone.run(PUBLIC) == f"{error}\n"
    edit(POOL, "std::no_such_type mutex;", "std::mutex mutex;")
    assert clone.build() == (0, "")
    assert clone.modules().keys() == before.keys()
    assert clone.run(PUBLIC) == "True\n"
    assert right(clone.masks())


def test_a_module_that_cannot_be_imported_is_an_error_until_it_is_mended(clone, edit):
    edit("csrc/points_inside_polygon.c", "void points_inside_polygon(", "void another_name(")
    for _ in range(2):
        code, output = clone.build()
        assert code != 0
        (line,) = [line for line in output.splitlines() if "make:" not in line]
        assert line.startswith("ladder.clib.points was built, but cannot be imported: ")
        assert "undefined symbol: points_inside_polygon" in line


def test_a_module_for_another_machine_is_not_imported(edit, twin, tmp_path):
    """As in tests/support/emulated.sh, Python is configured as if for another machine."""
    edit("csrc/points_inside_polygon.c", "void points_inside_polygon(", "void another_name(")
    suffix = ".cpython-399-another-machine.so"
    variables = {**sysconfig.get_config_vars(), "EXT_SUFFIX": suffix}
    variables = {name: value for name, value in variables.items() if isinstance(value, (str, int))}
    (tmp_path / "another_machine.py").write_text(f"build_time_vars = {variables!r}\n")
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
    calls = [line.split() for line in log.read_text().splitlines() if "points" in line]
    assert any("-c" in words for words in calls)
    assert any("-shared" in words for words in calls)  # here -ffast-math would flush denormals
    for words in calls:
        contract = [word for word in words if word.startswith("-ffp-contract=")]
        assert (contract[0], contract[-1]) == ("-ffp-contract=fast", "-ffp-contract=off")
        fast = [word for word in words if word.endswith("fast-math")]
        assert (fast[0], fast[-1]) == ("-ffast-math", "-fno-fast-math")


# Interrupted and concurrent builds.


def test_an_interrupted_build_is_mended_by_the_next(clone, edit, interruptible):
    """Twenty builds are killed or interrupted at random moments within the time of a build."""
    moments = random.Random(20)
    edit("4_openmp/prange.pyx", "\n", "\n# 0\n")
    start_s = time.monotonic()
    assert clone.build() == (0, "")
    build_s = time.monotonic() - start_s
    for i in range(20):
        edit("4_openmp/prange.pyx", f"# {i}\n", f"# {i + 1}\n")
        edit("3_cclass/polygon.pyx", "\n", f"\n# {i}\n")
        command = [clone.python, "setup.py", "-q", "build_ext", "--inplace"]
        process = clone.start(command, stdout=subprocess.DEVNULL)
        try:
            process.wait(timeout=moments.uniform(0.1, build_s))
        except subprocess.TimeoutExpired:
            if i % 2:  # Ctrl-C: the whole process group gets the signal
                os.killpg(process.pid, signal.SIGINT)
            else:  # the build alone: its compilers continue
                process.kill()
        process.wait()
        states = clone.masks().values()
        assert "wrong" not in states
        assert not [s for s in states if "undefined symbol" in s or "too short" in s]
    code, output = clone.build()
    assert code == 0, output
    assert right(clone.masks())
    assert not list((clone.root / "build").glob("scratch-*"))


@pytest.mark.parametrize("killed", ["the build alone", "its compilers, too"])
def test_a_build_that_is_killed_in_the_engine_is_mended_by_the_next(clone, edit, killed):
    before = clone.modules()
    edit(POOL, "namespace polymask", "/* a line */\nnamespace polymask")
    command = [clone.python, "setup.py", "-q", "build_ext", "--inplace"]
    process = clone.start(command, stdout=subprocess.DEVNULL)
    while not list(clone.root.glob("build/scratch-*/temp/csrc/engine/src/**/*.o")):
        assert process.poll() is None, "the engine was not compiled"
        time.sleep(0.01)
    if killed == "the build alone":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert list(clone.root.glob("build/scratch-*"))  # it could not clean up
    assert before.keys() - clone.modules().keys() == ENGINE
    code, output = clone.build()
    assert (code, output) == (0, "")
    assert right(clone.masks())
    assert clone.run(PUBLIC) == "True\n"
    after = clone.modules()
    assert {name for name in after if after[name] != before[name]} == ENGINE
    assert not list(clone.root.glob("build/scratch-*"))
    assert clone.build() == (0, "")
    assert clone.modules() == after


def test_two_builds_at_once(clone, edit):
    edit("4_openmp/prange.pyx", "\n", "\n# another line\n")
    edit("3_cclass/polygon.pyx", "\n", "\n# another line\n")
    processes = [clone.start(["make", "build"]) for _ in range(2)]
    outputs = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    assert set(outputs) <= {"", "another build is running here: waiting for it\n"}
    assert right(clone.masks())
    after = clone.modules()
    assert clone.build() == (0, "")
    assert clone.modules() == after
