"""Failed, interrupted and concurrent builds leave no stale module; the next build repairs them.

All of them run in the copy from conftest.py.
"""

import os
import re
import signal
import subprocess
import time

import pytest
from checkouts import COMPILED, right

pytestmark = pytest.mark.slow


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


@pytest.mark.weekly
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


def test_an_unimportable_module_stays_an_error_until_repaired(clone, edit):
    edit("csrc/points_inside_polygon.c", "void points_inside_polygon(", "void another_name(")
    for _ in range(2):
        code, output = clone.build()
        assert code != 0
        (line,) = [line for line in output.splitlines() if "make:" not in line]
        assert line.startswith("ladder.clib.points was built, but cannot be imported: ")
        assert "undefined symbol: points_inside_polygon" in line


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


def start_build(clone):
    """Start a build without make, in a process group of its own."""
    command = [clone.python, "setup.py", "-q", "build_ext", "--inplace"]
    return clone.start(command, stdout=subprocess.DEVNULL)


def wait_for(clone, process, files):
    """Wait until a build has written files into its temporary folder."""
    while not list(clone.root.glob(f"build/scratch-*/{files}")):
        assert process.poll() is None, "nothing was compiled"
        time.sleep(0.01)


def test_the_next_build_repairs_an_interrupted_one(clone, edit, interruptible):
    edit("4_openmp/prange.pyx", "\n", "\n# another line\n")
    process = start_build(clone)
    wait_for(clone, process, "temp")
    os.killpg(process.pid, signal.SIGINT)  # as by Ctrl-C: the compilers receive it, too
    assert process.wait() != 0
    assert clone.masks()["openmp.prange"].startswith("not built")
    assert clone.build() == (0, "")
    assert right(clone.masks())


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
