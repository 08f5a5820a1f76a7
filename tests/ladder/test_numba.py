"""Numba's rungs: their imports, threads, forks, and exact arithmetic."""

import functools
import json
import os
import re
import sys

import pytest
from cases import folded, says
from every_rung import TRIANGLE, rungs_where
from fresh_python import run

from ladder import registry
from polymask import contract

JIT = [rung for rung in registry.RUNGS if rung.jit == "numba" and not rung.device]
PARALLEL = {  # rungs with threads, and the option for two threads
    "numba.prange": {"threads": 2},
    "numba.guvectorize": {"target": "parallel"},
    "numba.vectorize": {"target": "parallel"},
}
LAYERS = ["tbb", "omp", "workqueue"]
each_jit = pytest.mark.parametrize("rung", JIT, ids=lambda rung: rung.key)
each_parallel = pytest.mark.parametrize("key", PARALLEL)

QUIET = ("-W", "ignore::DeprecationWarning")  # for forks of a process with threads
PROGRAM = """
import json, os, sys, threading
import numpy as np
from ladder import registry
from ladder.registry import reference, workload

SHAPE = (150, 201)
VERTICES = workload.polygon(24, SHAPE)
RIGHT = reference.mask(VERTICES, SHAPE)
rung = registry.get(sys.argv[1])
options = json.loads(sys.argv[2])


def is_right():
    return np.array_equal(rung.load()(VERTICES, SHAPE, **options), RIGHT)


assert is_right()
"""


def outcome(program, key, options, **environment):
    """Run a program after a first call with two threads; return its output."""
    pytest.importorskip("numba")
    settings = {"NUMBA_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"} | environment
    completed = run(*QUIET, "-c", PROGRAM + program, key, json.dumps(options), **settings)
    if "No threading layer could be loaded" in completed.stderr:
        pytest.skip(f"Numba has no {environment['NUMBA_THREADING_LAYER']} here")
    assert completed.returncode == 0, completed.stderr
    return completed.stdout.strip()


@each_jit
@folded("ask", ["load", "look"])
def test_without_numba_its_rungs_say_what_to_install(rung, ask, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("ladder.numba")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "ladder.devices.numba_threads", raising=False)
    with pytest.raises(registry.Unavailable) as raised:
        getattr(rung, ask)()
    message = "the package numba is not installed: pip install 'polymask[numba]'"
    assert str(raised.value) == message


@each_parallel
def test_a_missing_library_for_threads_is_reported(key):
    pytest.importorskip("numba")
    code = f"from ladder import registry\nregistry.get({key!r}).load()"
    done = run("-c", code, NUMBA_THREADING_LAYER="nonsense")
    last = done.stderr.splitlines()[-1]
    assert says(last, "BadSetting", "requested", "'nonsense'")
    assert last.endswith("unset NUMBA_THREADING_LAYER")


NO_THREADS = ["-3", "0", "99999999", "nonsense", "", "2\nthreads"]
MESSAGE = r"NUMBA_NUM_THREADS=.* is not 1 to 1024: set it to a number of threads, or unset it"


@each_jit
@folded("ask", ["load", "look"])
@folded("number", NO_THREADS)
def test_an_invalid_number_of_threads_is_unavailable_to_all_callers(rung, ask, number, monkeypatch):
    """Numba reads it when it is imported, which listing the rungs must not require."""
    pytest.importorskip("numba")
    monkeypatch.setenv("NUMBA_NUM_THREADS", number)
    with pytest.raises(contract.BadSetting) as raised:
        getattr(rung, ask)()
    assert re.fullmatch(MESSAGE, str(raised.value))


def test_more_threads_by_a_configuration_file_than_openmp_starts_are_refused(monkeypatch):
    numba = pytest.importorskip("numba")
    from ladder.devices import numba_threads

    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", 2000)
    with pytest.raises(contract.BadSetting, match=MESSAGE):
        numba_threads.most_threads.__wrapped__()


def test_other_settings_that_a_compiler_rejects_are_unavailable(tmp_path, monkeypatch):
    (tmp_path / "set_to_nonsense.py").write_text("raise ValueError('nonsense is no layer.')")
    monkeypatch.syspath_prepend(tmp_path)
    rung = registry.Rung("some.rung", "0_python/some.py", "", named="set_to_nonsense", jit="numba")
    with pytest.raises(contract.BadSetting) as raised:
        rung.module()
    mend = "fix or unset the environment variables NUMBA_..."
    assert str(raised.value) == f"numba cannot be imported: nonsense is no layer: {mend}"


@pytest.mark.slow
def test_no_call_has_more_threads_than_numba():
    program = """
print([rung.threads(threads=n) for n in (None, 1, 2, 5)])
"""
    assert outcome(program, "numba.prange", {}, NUMBA_NUM_THREADS="3") == "[3, 1, 2, 3]"


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts threads in /proc")
def test_numba_starts_the_requested_threads():
    """The mask is always the same, so it cannot show the number."""
    program = """
def tasks(n):
    rung.load()(VERTICES, SHAPE, threads=n)
    return len(os.listdir("/proc/self/task"))

print(-tasks(2) + tasks(4))
"""
    assert outcome(program, "numba.prange", {"threads": 2}, NUMBA_NUM_THREADS="4") == "2"


@pytest.mark.slow
def test_a_call_leaves_the_callers_number_of_threads_as_it_was():
    """Numba stores the number for each thread: the caller's must not change."""
    program = """
import numba
numba.set_num_threads(3)
assert is_right()
print(numba.get_num_threads())
"""
    assert outcome(program, "numba.prange", {"threads": 2}, NUMBA_NUM_THREADS="4") == "3"


@functools.cache
def observations(key, layer):
    """Return the observations of one process with a threading layer; compiling takes longest."""
    program = """
import numba

result = {"layer": numba.threading_layer(), "wrong": 0, "child": None, "openmp": None}
try:
    result["openmp"] = registry.get("openmp.prange").threads()
except registry.Unavailable:
    pass

def work():
    wrong = sum(not is_right() for _ in range(12))
    result["wrong"] += wrong

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if hasattr(os, "fork"):
    child = os.fork()
    if not child:
        os._exit(0 if is_right() and rung.threads(**options) == 1 else 3)
    result["child"] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(json.dumps(result))
"""
    environment = {"NUMBA_THREADING_LAYER": layer, "OMP_NUM_THREADS": "1"}
    return json.loads(outcome(program, key, PARALLEL[key], **environment))


@pytest.mark.slow
@pytest.mark.parametrize("layer", LAYERS)
@each_parallel
def test_numba_leaves_the_threads_of_openmp_alone(key, layer):
    """When Numba starts OpenMP's threads, it sets the number of threads for the calling thread."""
    threads = observations(key, layer)["openmp"]
    if threads is None:
        pytest.skip("openmp.prange does not run here")
    assert threads == 1


@pytest.mark.slow
@folded("layer", LAYERS)
@each_parallel
def test_several_threads_of_python_may_call_at_once(key, layer):
    """Numba's workqueue would terminate a process that runs two loops at the same time."""
    assert observations(key, layer)["layer"] == layer
    assert observations(key, layer)["wrong"] == 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@folded("layer", LAYERS)
@each_parallel
def test_a_forked_child_answers_with_one_thread(key, layer):
    """It lacks its parent's threads: Numba would terminate it, or wait for them forever."""
    assert observations(key, layer)["child"] == 0


# Exact arithmetic.

FAST = re.compile(r"\bf(?:add|sub|mul|div) (?:fast|contract|reassoc|arcp|nnan|ninf|nsz|afn)\b")
FUSED = re.compile(r"\bllvm\.fma|\bllvm\.fmuladd|\bvfn?m(?:add|sub)\d|\bfn?m(?:add|sub|la|ls)\b")


@rungs_where(lambda rung: rung.key in ("numba.njit", "numba.prange"))
def test_no_multiply_add_is_fused_and_no_arithmetic_is_fast(rung, make_mask):
    make_mask(TRIANGLE, (5, 6), **PARALLEL.get(rung.key, {}))
    fill = rung.module().fill
    # one for each signature called, also by previous tests
    whole = "\n".join([*fill.inspect_llvm().values(), *fill.inspect_asm().values()])
    assert "fdiv" in whole
    assert not FAST.search(whole)
    assert not FUSED.search(whole)
