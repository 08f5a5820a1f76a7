"""The registry: the one list of the rungs, and what `load` does where one cannot run."""

import ast
import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from polymask import contract, reference, rungs
from polymask.cli import doctor

KEYS = [rung.key for rung in rungs.RUNGS]
TRIANGLE = [(1, 2), (9, 4), (3, 8)]

each_rung = pytest.mark.parametrize("rung", rungs.RUNGS, ids=KEYS)  # not loaded: the entries only

# The course's times, copied from its summary by hand.
COURSE = {
    "python.tuples": 36,
    "python.scalars": 450,
    "python.vectorized": 0.238,
    "cython.compiled": 9,
    "cython.typed": 3.6,
    "clib.points": 0.270,
    "cclass.polygon": 0.118,
    "openmp.prange": 0.020,
    "opencl.pixels": 0.003,
}


def test_the_ladder_from_0_to_5_is_here_in_its_order():
    ladder = ["python.tuples", "python.scalars", "python.vectorized"]
    ladder += ["cython.compiled", "cython.typed", "clib.points", "cclass.polygon", "cclass.cpp"]
    ladder += ["openmp.prange", "opencl.pixels"]
    assert [key for key in KEYS if key in ladder] == ladder


def test_keys_are_unique():
    assert len(set(KEYS)) == len(KEYS)


def test_rungs_are_in_the_order_of_their_folders():
    numbers = [int(rung.folder.split("_")[0]) for rung in rungs.RUNGS]
    assert numbers == sorted(numbers)


def test_the_first_rung_is_the_base_of_all_speed_ups():
    assert rungs.RUNGS[0].key == rungs.BASE
    assert rungs.RUNGS[0].before is None
    assert rungs.RUNGS[0].changes is None


@each_rung
def test_folder_is_a_number_and_the_first_part_of_the_key(rung):
    assert re.fullmatch(r"\d+_" + rung.key.split(".")[0], rung.folder)


@each_rung
def test_before_comes_earlier(rung):
    if rung.key != rungs.BASE:
        assert rung.before in KEYS[: KEYS.index(rung.key)]
        assert rung.changes in {"language", "library", "threads", "device", "algorithm"}


@each_rung
def test_file_is_there_and_source_is_its_text(rung, root):
    text = (root / rung.file).read_text()
    assert rung.source() == text
    assert "make_mask" in text


@each_rung
def test_title_and_idea_fit_a_line_of_a_table(rung):
    assert 0 < len(rung.title) <= 40
    assert 0 < len(rung.idea) <= 80
    assert "\n" not in rung.title + rung.idea


@each_rung
def test_course_seconds_are_the_courses(rung):
    assert rung.course_seconds == COURSE.get(rung.key)


def load(rung):
    """Return `make_mask` and None, or None and why it cannot run here."""
    try:
        return rung.load(), None
    except rungs.Unavailable as error:
        return None, error


@each_rung
def test_load_returns_make_mask_or_says_why_not(rung):
    make_mask, error = load(rung)
    if error:
        assert error.reason
        return
    assert make_mask is sys.modules[f"polymask.{rung.key}"].make_mask
    assert make_mask(TRIANGLE, (5, 6)).shape == (5, 6)


@each_rung
def test_only_threads_devices_and_packages_are_reasons_not_to_run(rung):
    """A module that is missing or stale is Unavailable too, and would turn its tests off."""
    _, error = load(rung)
    if error:
        assert rung.extra or rung.changes in {"threads", "device"}, error
        assert "make build" not in str(error)


def test_unavailable_is_the_contracts():
    assert rungs.Unavailable is contract.Unavailable


def test_get_returns_the_entry():
    for rung in rungs.RUNGS:
        assert rungs.get(rung.key) is rung


@pytest.mark.parametrize(
    ("key", "near"),
    [("python.tuple", "python.tuples"), ("openmp.range", "openmp.prange"), ("cpp", "cclass.cpp")],
)
def test_get_names_the_nearest(key, near):
    with pytest.raises(KeyError) as raised:
        rungs.get(key)
    message = raised.value.args[0]
    assert repr(key) in message
    assert repr(near) in message or near in message


def test_nearest():
    names = ["tuples", "scalars", "vectorized"]
    assert rungs.nearest("tupels", names) == "; did you mean 'tuples'?"
    assert rungs.nearest("zzz", names) == "; there are tuples, scalars, vectorized"
    assert rungs.nearest("aab", ["aaa", "aac"]) == "; did you mean 'aac' or 'aaa'?"


def test_rows_by_cols():
    assert rungs.rows_by_cols("8x16") == (8, 16)
    assert rungs.rows_by_cols("8X16") == (8, 16)
    for text in "8", "8x", "x8", "8x-1", "8x1.5", "8 by 2", "", "1x2x3":
        with pytest.raises(ValueError, match="ROWSxCOLS"):
            rungs.rows_by_cols(text)


# Where a rung cannot run.


def entry(key, extra=None):
    return rungs.Rung(key, "9_none", "9_none/none.py", "none", "none", None, None, extra=extra)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a module polymask.scratch, and return its entry."""
    import polymask

    monkeypatch.setattr(polymask, "__path__", [*polymask.__path__, str(tmp_path)])

    def write(text, extra=None):
        (tmp_path / "scratch.py").write_text(text)
        return entry("scratch", extra)

    yield write
    sys.modules.pop("polymask.scratch", None)
    vars(polymask).pop("scratch", None)


def test_a_module_without_check_loads(module):
    assert module("def make_mask(): return 7").load()() == 7


def test_a_missing_package_names_the_extra(module):
    rung = module("import no_such_package.inside", extra="opencl")
    with pytest.raises(rungs.Unavailable) as raised:
        rung.load()
    assert raised.value.reason == "the package no_such_package is not installed"
    assert raised.value.what_to_do == "pip install 'polymask[opencl]'"


def test_a_missing_package_without_an_extra_is_named(module):
    with pytest.raises(rungs.Unavailable, match="install no_such_package"):
        module("import no_such_package").load()


def test_without_pyopencl_the_opencl_rungs_name_their_extra(monkeypatch):
    for name in "polymask.opencl.pixels", "pyopencl":
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    with pytest.raises(rungs.Unavailable) as raised:
        rungs.get("opencl.pixels").load()
    assert raised.value.reason == "the package pyopencl is not installed"
    assert "polymask[opencl]" in raised.value.what_to_do


def test_a_module_that_was_not_built_says_how_to_build_it():
    with pytest.raises(rungs.Unavailable) as raised:
        entry("cython.nothing").load()
    assert raised.value.reason == "not built"
    assert "make build" in raised.value.what_to_do


def test_on_windows_no_rung_is_built_and_make_is_no_help(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(rungs.Unavailable, match="not built: use the ladder in WSL"):
        entry("cython.nothing").load()
    monkeypatch.setattr(doctor.machine, "build_facts", lambda: {"openmp": None})
    good, text = doctor.openmp()
    assert good
    assert "one thread" in text


def test_another_import_error_is_the_reason(module):
    with pytest.raises(rungs.Unavailable, match=r"libnone\.so\.1: cannot open"):
        module("raise ImportError('libnone.so.1: cannot open shared object file')").load()


def test_check_may_refuse(module):
    rung = module(
        "from polymask.contract import Unavailable\n"
        "def make_mask(): pass\n"
        "def check(): raise Unavailable('no device', 'plug one in')\n"
    )
    with pytest.raises(rungs.Unavailable, match="no device: plug one in"):
        rung.load()
    rung.module()  # importing it is no error: only `load` asks


def test_a_fault_in_the_module_is_no_unavailable(module):
    with pytest.raises(ZeroDivisionError):
        module("1 / 0").load()


def test_threads_is_one_unless_the_module_says_more(module):
    assert rungs.get("python.tuples").threads() == 1
    assert module("def threads_used(threads=4): return threads").threads(threads=3) == 3


def test_threads_of_openmp():
    rung = rungs.get("openmp.prange")
    assert rung.threads(threads=3) == 3
    assert rung.threads(schedule="static") >= 1


def test_without_openmp_the_rung_refuses_to_run(monkeypatch):
    rung = rungs.get("openmp.prange")
    monkeypatch.setattr(rung.module(), "OPENMP", 0)
    with pytest.raises(rungs.Unavailable, match="built without OpenMP: install libgomp"):
        rung.load()


# What must not happen at import: measured in an interpreter of its own.


def run_python(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_importing_the_registry_imports_no_rung():
    code = """
import sys
from polymask import rungs
loaded = [r.key for r in rungs.RUNGS if f"polymask.{r.key}" in sys.modules]
assert not loaded, loaded
assert "pyopencl" not in sys.modules
"""
    done = run_python(code)
    assert done.returncode == 0, done.stderr


def test_importing_opencl_makes_no_context():
    pytest.importorskip("pyopencl")
    code = """
import pyopencl as cl
def refuse(*args, **options): raise SystemExit("asked for a device at import")
cl.Context = cl.create_some_context = cl.get_platforms = refuse
from polymask.opencl import pixels
assert pixels.context.cache_info().currsize == 0
"""
    done = run_python(code)
    assert done.returncode == 0, done.stderr


def test_opencl_context_and_program_are_made_once():
    rung = rungs.get("opencl.pixels")
    make_mask, error = load(rung)
    if error:
        pytest.skip(str(error))
    pixels = rung.module()
    make_mask(TRIANGLE, (5, 6))
    before = pixels.context.cache_info().misses, pixels.program.cache_info().misses
    make_mask(TRIANGLE, (7, 8))
    assert (pixels.context.cache_info().misses, pixels.program.cache_info().misses) == before


def test_opencl_context_is_made_once_by_four_threads_that_come_first_together():
    """Buffers of one context and a kernel of another would be an error."""
    _, error = load(rungs.get("opencl.pixels"))
    if error:
        pytest.skip(str(error))
    code = """
import threading, time
import pyopencl as cl
from polymask.opencl import pixels
made, done, make, start = [], [], cl.Context, threading.Barrier(4)
def slow_context(*args, **options):
    made.append(args)
    time.sleep(0.1)
    return make(*args, **options)
cl.Context = slow_context
def work():
    start.wait()
    done.append(pixels.make_mask([(1, 2), (9, 4), (3, 8)], (5, 6)))
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(made), len(done))
"""
    done = run_python(code)
    assert done.stdout.split() == ["1", "4"], done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts threads in /proc")
def test_openmp_starts_as_many_threads_as_it_is_told():
    """All values of `threads` give the same mask, so the mask cannot tell whether it is heard."""
    _, error = load(rungs.get("openmp.prange"))
    if error:
        pytest.skip(str(error))
    code = """
import os
from polymask.openmp.prange import make_mask
triangle = [(1, 2), (9, 4), (3, 8)]
make_mask(triangle, (64, 64), threads=1)
one = len(os.listdir("/proc/self/task"))
make_mask(triangle, (64, 64), threads=4)
print(len(os.listdir("/proc/self/task")) - one)
"""
    done = run_python(code)
    assert done.stdout.strip() == "3", done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for libgomp in /proc")
def test_openmp_hears_the_schedule():
    """Likewise: OpenMP itself is asked what it was told."""
    rung = rungs.get("openmp.prange")
    make_mask, error = load(rung)
    if error:
        pytest.skip(str(error))
    loaded = re.findall(r"\S*/lib(?:gomp|omp|iomp5)\b\S*", Path("/proc/self/maps").read_text())
    if len(set(loaded)) != 1:
        pytest.skip(f"not one OpenMP library but {set(loaded)}")
    openmp = ctypes.CDLL(loaded[0])
    kind, chunk = ctypes.c_int(), ctypes.c_int()
    for schedule, expected in [("static,3", (1, 3)), ("dynamic,1", (2, 1)), ("guided,4", (3, 4))]:
        make_mask(TRIANGLE, (5, 6), schedule=schedule)
        openmp.omp_get_schedule(ctypes.byref(kind), ctypes.byref(chunk))
        assert (kind.value & 0x7FFFFFFF, chunk.value) == expected  # the sign bit: monotonic


# The house: who knows whom.


def assigned(root, name):
    """Read what setup.py assigns to `name`, without running it."""
    for node in ast.parse((root / "setup.py").read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return node.value
    raise AssertionError(f"setup.py has no {name}")


def test_setup_py_knows_the_folders_of_the_registry(root):
    folders = ast.literal_eval(assigned(root, "FOLDERS"))
    expected = {f"polymask.{rung.key.split('.')[0]}": rung.folder for rung in rungs.RUNGS}
    assert {k: v for k, v in folders.items() if not v.startswith("csrc")} == expected
    assert folders["polymask.csrc"] == "csrc"


def test_setup_py_builds_every_rung_that_is_compiled(root):
    calls = assigned(root, "EXTENSIONS").elts
    built = {call.args[0].value: call.args[1].value for call in calls}
    compiled = {rung.key: rung.file for rung in rungs.RUNGS if rung.file.endswith(".pyx")}
    compiled["cython.compiled"] = "0_python/tuples.py"
    assert {key: file for key, file in built.items() if not key.startswith("_")} == compiled


def imports_of_the_project(file):
    """Return the project's modules that a rung's source imports or cimports."""
    text = Path(file).read_text()
    found = set()
    if file.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                base = "." * node.level + (node.module or "")
                found |= {f"{base}.{alias.name}" for alias in node.names}
    else:
        for module, names in re.findall(r"^\s*from\s+(\S+)\s+c?import\s+(.+)$", text, re.M):
            found |= {f"{module}.{name.split()[0]}" for name in names.strip("()").split(",")}
        found |= set(re.findall(r"^\s*c?import\s+(\S+)", text, re.M))
    return {name for name in found if name.startswith(("polymask", "."))}


@each_rung
def test_a_rung_imports_the_contract_and_its_device_and_nothing_else_of_the_project(rung, root):
    allowed = {"polymask.contract"}
    if rung.key == "python.scalars":  # its lesson is that function, handed an array
        allowed.add("polymask.python.tuples.inside_polygon")
    if rung.extra == "opencl":  # a device is found and tried outside, which is no part of a lesson
        allowed.add("polymask.devices.opencl")
    assert imports_of_the_project(root / rung.file) <= allowed


@each_rung
def test_every_rung_calls_the_contracts_check(rung, root):
    assert "contract.check(vertices, shape, border_value)" in rung.source()


def test_the_reference_shares_no_code_with_a_rung(root):
    assert imports_of_the_project(Path(reference.__file__)) == {"polymask.contract"}


@pytest.mark.parametrize("module", ["contract", "rungs", "reference", "workload", "_fresh"])
def test_nothing_flows_back_to_the_driver(root, module):
    imported = imports_of_the_project(root / f"polymask/{module}.py")
    assert imported <= {"polymask.contract", "polymask.contract.Unavailable"}
