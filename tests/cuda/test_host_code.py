"""The host's code of polymask.cuda: checks, streams and allocations, on a GPU and without one.

Without one, NumPy takes CuPy's place, and kernels do nothing.
"""

import os

import numpy as np
import polygons
import pytest
from cases import folded
from sanitize import cuda_on_cpu

from polymask.common.run_once import once
from polymask.contract import Unavailable
from polymask.cuda import cupy_library, device_arrays

TRIANGLE = polygons.TRIANGLE
same = np.testing.assert_array_equal


@pytest.fixture
def host(monkeypatch):
    """The functions with NumPy in CuPy's place."""
    return cuda_on_cpu.polymask_cuda(monkeypatch, lambda *_: lambda *_, **__: None)


@pytest.fixture(params=["host", "cuda"])
def functions(request):
    """The functions, with each library."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def library(functions):
    """The library that these functions use."""
    return device_arrays.with_device()


def test_bad_arguments_are_refused_before_anything_is_written(functions, library):
    cuda, cupy, triangle = functions, library, TRIANGLE
    out, device = cupy.ones((14, 21), np.uint8), cupy.asarray(triangle)
    nan = cupy.asarray(triangle * np.nan)
    offsets = cupy.asarray([0, 2, 1, 3])
    wrong = [
        (ValueError, "GPU", lambda: cuda.polygon_mask(triangle, (14, 21), out=out.get())),
        (ValueError, "shape", lambda: cuda.polygon_mask(triangle, (14, 20), out=out)),
        (ValueError, "dtype", lambda: cuda.label_mask([triangle], (14, 21), out=out, dtype=int)),
        (ValueError, "contiguous", lambda: cuda.polygon_mask(triangle, (21, 14), out=out.T)),
        (ValueError, "finite", lambda: cuda.polygon_mask(nan, (14, 21), out=out)),
        (ValueError, "vertices", lambda: cuda.polygon_mask(device[:2], (14, 21), out=out)),
        (ValueError, "descend", lambda: cuda.label_mask((device, offsets), (14, 21), out=out)),
        (ValueError, "integers", lambda: cuda.pixel_counts((device, cupy.ones(2)), (5, 8))),
        (ValueError, "shape", lambda: cuda.polygon_mask(cupy.zeros((4, 3)), (5, 8), check=False)),
        (ValueError, "shape", lambda: cuda.polygon_mask(cupy.zeros(()), (5, 8))),
        (ValueError, "real", lambda: cuda.polygon_mask(device > 0, (5, 8), check=False)),
        (ValueError, "ragged", lambda: cuda.label_mask((device, None), (5, 8))),
        (TypeError, "ragged", lambda: cuda.polygon_masks([device, device], (5, 8))),
        (TypeError, "ragged", lambda: cuda.polygon_mask([device, device], (5, 8))),
        (ValueError, "check", lambda: cuda.polygon_mask(device, (5, 8), check="no")),
        (ValueError, "address", lambda: cuda.polygon_mask(device, (5, 8), stream=-5)),
        (ValueError, "overflow", lambda: cuda.label_mask(
            (device * 2.0**505, [0, 3]), (14, 21), on_top="smallest")),
        (ValueError, "ragged", lambda: cuda.label_mask((device,), (14, 21), out=out)),
        (ValueError, "labels", lambda: cuda.label_mask([triangle], (14, 21), labels=[1, 2])),
        (ValueError, "on_top", lambda: cuda.label_mask([triangle], (14, 21), on_top="top")),
        (ValueError, "overflow", lambda: cuda.label_mask(
            [triangle * 2.0**505], (14, 21), on_top="smallest")),
        (TypeError, "stream", lambda: cuda.polygon_mask(triangle, (14, 21), stream="fast")),
    ]  # fmt: skip
    for kind, word, call in wrong:
        with pytest.raises(kind, match=word):
            call()
    same(out.get(), np.ones((14, 21)))


def test_bad_input_of_coverage_writes_nothing(functions, library):
    ring = np.array([(0, 0), (9, 0), (9, 9.0)])
    out = library.full((3, 4), 7, np.float32)
    far = np.vstack([ring, [(0, 2.0**51)]])
    for bad in (
        {"polygon": far},
        {"polygon": library.asarray(far)},
        {"offset": (2**50 - 2, 0)},
        {"offset": (0, -(2**50) - 1)},
        {"shape": (4, 3)},
        {"center": "no"},
    ):
        with pytest.raises((TypeError, ValueError)):
            functions.coverage(**{"polygon": ring, "shape": (3, 4), "out": out} | bad)
    with pytest.raises(ValueError, match="float32"):
        functions.coverage(ring, (3, 4), out=library.zeros((3, 4)))
    same(out.get(), 7)


def test_arrays_of_another_device_are_refused(host, monkeypatch):
    library = device_arrays.with_device()
    out = library.ones((14, 21), np.uint8)
    library.cuda.runtime.getDevice.return_value = 1
    with pytest.raises(ValueError, match=r"device 0.*device is 1"):
        host.polygon_mask(TRIANGLE, (14, 21), out=out)


def test_a_failing_allocation_leaves_out_unchanged(host, monkeypatch):
    library = device_arrays.with_device()
    out, empty, failed = library.full((5, 8), 7, np.int32), library.empty, 0

    def fail_at(number):
        def limited(*arguments):
            nonlocal number
            number -= 1
            if number < 0:
                raise MemoryError
            return empty(*arguments)

        return limited

    for number in range(20):
        monkeypatch.setattr(library, "empty", fail_at(number))
        try:
            host.label_mask(np.stack([TRIANGLE] * 9), (5, 8), out=out, on_top="first")
            break
        except MemoryError:
            failed += 1
            same(out, 7)
    assert failed >= 3


@folded("name", ["ptr", "cuda_stream", "handle", "__cuda_stream__", "address"])
def test_streams_of_any_library_are_joined(host, name):
    value = staticmethod(lambda: (0, 4096)) if name == "__cuda_stream__" else 4096
    stream = 4096 if name == "address" else type("Stream", (), {name: value})
    from_external = device_arrays.with_device().cuda.Stream.from_external
    host.polygon_mask(TRIANGLE, (14, 21), stream=stream)
    assert from_external.call_args[0][0].__cuda_stream__() == (0, 4096)
    from_external.reset_mock()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_child_cannot_use_its_parents_device():
    device = once(object)
    assert device() is device()
    child = os.fork()
    if not child:
        try:
            device()
        except Unavailable:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_a_missing_library_or_device_is_unavailable(monkeypatch):
    with_device = cupy_library.with_device.__wrapped__  # without the memory of an earlier call
    library = cuda_on_cpu.library()
    monkeypatch.setattr(cupy_library, "cupy", lambda: library)
    library.cuda.runtime.getDeviceCount.return_value = 1
    assert with_device() is library
    library.cuda.runtime.getDeviceCount.return_value = 0
    with pytest.raises(Unavailable, match="no device"):
        with_device()
    library.cuda.runtime.getDeviceCount.side_effect = RuntimeError("cudaErrorNoDevice")
    with pytest.raises(Unavailable, match="cudaErrorNoDevice"):
        with_device()
