"""The stand-in for CuPy computes, and refuses what CuPy and CUDA refuse."""

import sys
from types import ModuleType

import numpy as np
import pytest
from cupy_on_pocl import installed

from polymask.common.kernel_text import with_headers

SAXPY = """
#include "device.h"
KERNEL void saxpy(GLOBAL const double *x, GLOBAL double *y, const double a, const int n,
                  LOCAL_ARGUMENT(uint, memory))
{
    LOCAL_MEMORY(uint, memory);
    memory[LOCAL_X] = LOCAL_X;
    BARRIER();
    const int i = (int)GROUP_X * LOCAL_SIZE_X + (int)memory[LOCAL_SIZE_X - 1 - LOCAL_X];
    if (i < n)
        y[i] += a * x[i];
}
"""


@pytest.fixture
def cupy():
    with installed() as module:
        yield module


@pytest.fixture
def saxpy(cupy):
    """Add a * x to y on the device, in `blocks` blocks of 4 threads."""
    kernel = cupy.RawModule(code=with_headers(SAXPY), options=("-std=c++17",)).get_function("saxpy")

    def launch(x, y, a=2.0, n=None, blocks=3, shared_mem=16, **stream):
        n = np.int32(x.size if n is None else n)
        kernel((blocks,), (4,), (x, y, a, n, np.int32(0)), shared_mem=shared_mem, **stream)

    return launch


def test_a_kernel_computes_in_views_of_arrays(cupy, saxpy):
    x, y = cupy.arange(12.0), cupy.zeros(14)
    saxpy(x[2:], y[3:])
    expected = np.zeros(14)
    expected[3:13] = 2 * np.arange(2.0, 12)
    np.testing.assert_array_equal(y.get(), expected)
    saxpy(x[:2], y.data.ptr)
    np.testing.assert_array_equal(cupy.asnumpy(y)[:2], [0, 2])


def test_a_kernel_is_recorded_with_its_stream(cupy, saxpy):
    x, stream = cupy.ones(3), cupy.cuda.Stream()
    saxpy(x, x)
    saxpy(x, x, stream=stream)
    with stream:
        saxpy(x, x)
    assert [launch.stream for launch in cupy.launches] == [cupy.cuda.Stream.null, stream, stream]


def test_a_kernel_that_writes_outside_of_an_array_is_caught(cupy, saxpy):
    x, y = cupy.ones(12), cupy.ones(11)
    saxpy(x, y, n=11)
    with pytest.raises(AssertionError, match="saxpy"):
        saxpy(x, y, n=12)


WRONG = {
    "a scalar of another size": {"a": np.float32(2)},
    "an array of NumPy's": {"y": np.ones(3)},
    "no block": {"blocks": 0},
    "too much shared memory": {"shared_mem": 1 << 20},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_wrong_launch_is_an_error(cupy, saxpy, wrong):
    with pytest.raises((TypeError, RuntimeError)):
        saxpy(**{"x": cupy.ones(3), "y": cupy.ones(3)} | wrong)


@pytest.mark.parametrize(
    "mistake",
    [
        lambda cupy: np.asarray(cupy.ones(3)),
        lambda cupy: cupy.ones(3) + np.ones(3),
        lambda cupy: np.ones(3) + cupy.ones(3),
        lambda cupy: cupy.cumsum(np.ones(3)),
        lambda cupy: cupy.sum([1, 2]),
    ],
    ids=["asarray", "right", "left", "function", "list"],
)
def test_arrays_of_both_libraries_do_not_mix(cupy, mistake):
    with pytest.raises(TypeError):
        mistake(cupy)


def test_arrays_are_shared_without_a_copy(cupy):
    array = cupy.arange(12.0).reshape(3, 4)[:, 1:]
    foreign = type("Foreign", (), {"__cuda_array_interface__": array.__cuda_array_interface__})
    for shared in (cupy.asarray(foreign), cupy.from_dlpack(array), array[1:]):
        shared[-1, -1] += 1
    element = array[2, 2]
    element += 1
    assert float(array.sum()) == sum([1, 2, 3, 5, 6, 7, 9, 10, 15])
    assert cupy.asarray(np.ones(3)).data.ptr % 512 == 0


def test_memory_runs_out_and_is_given_back(cupy, monkeypatch):
    monkeypatch.setattr(cupy.cuda.memory.LIMITS, "nbytes", 1000)
    array = cupy.empty(100)
    with pytest.raises(cupy.cuda.memory.OutOfMemoryError):
        cupy.empty(100)
    del array
    assert cupy.get_default_memory_pool().used_bytes() == 0
    cupy.empty(100)


def test_modules_are_imported_anew_and_those_of_cupy_are_out_of_reach(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupyx", ModuleType("cupyx"))
    before = {name: sys.modules.get(name) for name in ("cupy", "cupyx")}
    import cases

    with installed("cases") as cupy:
        import cases as anew

        assert sys.modules["cupy"] is cupy
        assert "cupyx" not in sys.modules
        assert anew is not cases
    assert sys.modules["cases"] is cases
    assert {name: sys.modules.get(name) for name in before} == before


def test_cupy_has_what_the_stand_in_has():
    pytest.importorskip("pyopencl")
    from cupy_on_pocl import cupy as stand_in
    from cupy_on_pocl import runtime

    real = pytest.importorskip("cupy")
    functions = f"{stand_in.CREATING} {stand_in.FUNCTIONS} {stand_in.TYPES}".split()
    pairs = [
        (real, [*functions, "array", "asarray", "asnumpy", "empty", "empty_like", "from_dlpack"]),
        (real.ndarray, vars(stand_in.ndarray)),
        (real.cuda, vars(stand_in.cuda)),
        (real.cuda.runtime, vars(runtime.runtime)),
        (real.cuda.Stream, vars(runtime.ExternalStream) | vars(runtime.Stream)),
        (real.cuda.MemoryPointer, vars(runtime.MemoryPointer)),
    ]
    public = [(package, name) for package, names in pairs for name in names if name[0] != "_"]
    assert [name for package, name in public if not hasattr(package, name)] == []
