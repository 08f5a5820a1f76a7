"""OpenMP gets the options of a call; the masks are always the same, so they cannot show it."""

import ctypes
import re
import sys
from pathlib import Path

import pytest
from every_rung import TRIANGLE, load
from fresh_python import run

from ladder import registry
from ladder.devices import openmp
from polymask import contract

THREADED = [rung for rung in registry.RUNGS if rung.key.startswith("openmp.")]


@pytest.mark.parametrize("rung", THREADED, ids=lambda rung: rung.key)
def test_without_openmp_the_rung_refuses_to_run(rung, monkeypatch):
    monkeypatch.setattr(openmp, "OPENMP", 0)
    with pytest.raises(registry.Unavailable, match=r"OpenMP.*libgomp"):
        rung.load()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as on Linux")
@pytest.mark.parametrize("rung", THREADED, ids=lambda rung: rung.key)
def test_where_the_system_has_no_more_threads_fewer_make_the_mask(rung):
    """OpenMP's library terminates the process if a thread cannot be started."""
    _, error = load(rung)
    if error:
        pytest.skip(str(error))
    code = f"""
import resource
from ladder import registry
from ladder.registry import reference
rung, vertices = registry.get({rung.key!r}), {TRIANGLE.tolist()!r}
make_mask = rung.load()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), resource.RLIM_INFINITY))
assert (make_mask(vertices, (70, 90), threads=1024) == reference.mask(vertices, (70, 90))).all()
assert rung.threads(threads=1) == 1 and 1 <= rung.threads(threads=1024) < 1024
"""
    done = run("-c", code)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as on Linux")
@pytest.mark.parametrize(
    ("variable", "key"),
    [("NUMBA_NUM_THREADS", "numba.prange"), ("OMP_NUM_THREADS", "offload.copy")],
)
def test_other_libraries_start_no_more_threads_than_the_system_has(variable, key):
    """The environment sets the size of Numba's and of the kernels' teams."""
    _, error = load(registry.get(key))
    if error:
        pytest.skip(str(error))
    code = f"""
import resource
from ladder import registry
rung = registry.get({key!r})
rung.module()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), resource.RLIM_INFINITY))
try:
    rung.load()([(1, 1), (9, 1), (5, 6)], (8, 9))
except registry.Unavailable as error:
    print(error)
"""
    done = run("-c", code, **{variable: "1000", "POLYMASK_OFFLOAD_DEVICES": "host"})
    assert done.returncode == 0, done.stderr
    message = rf"1000 threads would be started, .* can safely start only \d+: set {variable}=\d+\n"
    assert re.fullmatch(message, done.stdout)


@pytest.mark.parametrize("rung", THREADED, ids=lambda rung: rung.key)
def test_an_invalid_environment_does_not_start_a_million_threads(rung):
    _, error = load(rung)
    if error:
        pytest.skip(str(error))
    code = f"""
import numpy as np
from ladder import registry
from ladder.registry import reference
rung, vertices = registry.get({rung.key!r}), {TRIANGLE.tolist()!r}
mask = rung.load()(vertices, (20, 30))
print(rung.threads(), np.array_equal(mask, reference.mask(vertices, (20, 30))))
"""
    done = run("-c", code, OMP_NUM_THREADS="99999999")
    if "Thread creation failed" in done.stderr:
        pytest.skip(f"{contract.MOST_THREADS} threads are more than this machine allows")
    assert done.stdout.split() == [str(contract.MOST_THREADS), "True"], done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts threads in /proc")
@pytest.mark.parametrize(
    ("key", "options", "more"),
    [
        ("openmp.prange", {"threads": 4}, 3),
        ("openmp.simd", {"threads": 4}, 3),
        ("scanline.threads", {"threads": 4}, 3),
        ("scanline.threads", {"threads": 1}, 0),
        ("scanline.engine", {}, 0),
    ],
)
def test_the_requested_number_of_threads_starts(key, options, more):
    """The mask is the same for any number of threads, so it cannot show the number."""
    _, error = load(registry.get(key))
    if error:
        pytest.skip(str(error))
    code = f"""
import os
from ladder import registry
make_mask = registry.get({key!r}).load()
before = len(os.listdir("/proc/self/task"))
make_mask([(1, 2), (900, 4), (3, 2900)], (3000, 1000), **{options})
print(len(os.listdir("/proc/self/task")) - before)
"""
    done = run("-c", code, OMP_NUM_THREADS="2")
    assert done.stdout.strip() == str(more), done.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_openmp_gets_the_schedule():
    """Likewise, so OpenMP itself is queried."""
    rung = registry.get("openmp.prange")
    make_mask, error = load(rung)
    if error:
        pytest.skip(str(error))
    loaded = re.findall(r"\S*/lib(?:gomp|omp|iomp5)\b\S*", Path("/proc/self/maps").read_text())
    if len(set(loaded)) != 1:
        pytest.skip(f"not one OpenMP library but {set(loaded)}")
    library = ctypes.CDLL(loaded[0])
    kind, chunk = ctypes.c_int(), ctypes.c_int()
    for number, name in enumerate(["static", "dynamic", "guided"], 1):
        make_mask(TRIANGLE, (5, 6), schedule=(name, 2 + number))
        library.omp_get_schedule(ctypes.byref(kind), ctypes.byref(chunk))
        assert kind.value & 0x7FFFFFFF == number  # the sign bit: monotonic
        assert chunk.value == 2 + number
