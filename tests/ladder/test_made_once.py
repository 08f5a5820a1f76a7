"""Work that must not happen at import, or must happen once, such as making an OpenCL context."""

import json

import pytest
from every_rung import TRIANGLE, load
from fresh_python import run

from ladder import registry


def test_importing_the_package_imports_nothing_that_an_extra_brings():
    code = """
import sys
import polymask
from ladder import devices
from ladder import registry
for name in devices.KINDS:
    devices.kind(name)
heavy = {"cupy", "dpctl", "dpnp", "jinja2", "matplotlib", "numba", "numba_cuda", "pyopencl"}
print(sorted(heavy & sys.modules.keys()))
"""
    done = run("-c", code)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.slow
def test_a_list_of_the_rungs_imports_none_of_the_heavy_packages():
    """Its reasons are the same as those from loading each rung."""
    code = """
import json, sys
from ladder import registry
from ladder.registry.rung import Rung
reasons = {key: str(why) for key, why in registry.unavailable(Rung.look).items()}
heavy = {"cupy", "dpctl", "dpnp", "numba", "numba_cuda"} & sys.modules.keys()
expected = {key: str(why) for key, why in registry.unavailable().items()}
print(json.dumps([sorted(heavy), reasons == expected or [reasons, expected]]))
"""
    done = run("-c", code)
    assert json.loads(done.stdout) == [[], True], done.stderr


def test_opencl_context_and_program_are_made_once():
    rung = registry.get("opencl.pixels")
    make_mask, error = load(rung)
    if error:
        pytest.skip(str(error))
    pixels = rung.module()
    make_mask(TRIANGLE, (5, 6))
    before = pixels.context.cache_info().misses, pixels.program.cache_info().misses
    make_mask(TRIANGLE, (7, 8))
    assert (pixels.context.cache_info().misses, pixels.program.cache_info().misses) == before


@pytest.mark.slow
def test_opencl_context_is_made_once_by_four_threads_that_come_first_together():
    """Buffers and a kernel from different contexts would be an error."""
    _, error = load(registry.get("opencl.pixels"))
    if error:
        pytest.skip(str(error))
    code = """
import threading, time
import pyopencl as cl
from ladder.opencl import pixels
contexts, masks, make, start = [], [], cl.Context, threading.Barrier(4)
def slow_context(*args, **options):
    contexts.append(args)
    time.sleep(0.1)
    return make(*args, **options)
cl.Context = slow_context
def work():
    start.wait()
    masks.append(pixels.make_mask([(1, 2), (9, 4), (3, 8)], (5, 6)))
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(contexts), len(masks))
"""
    done = run("-c", code)
    assert done.stdout.split() == ["1", "4"], done.stderr
