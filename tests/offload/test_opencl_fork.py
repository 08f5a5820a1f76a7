"""A forked child releases no object of the OpenCL driver, which would break its parent's."""

import sys

import pytest
from fresh_python import run

from ladder.offload.engines import host_compiler

TYPES = "Context", "CommandQueue", "MemObject", "Program", "Kernel", "Event"
# Loaded before the driver, it counts releases in the child, and makes the number its exit status.
COUNTER = """
#include <stdlib.h>
#include <unistd.h>
static int released, child;
static void leave(void) { _exit(released); }
void count(void) { child = 1; atexit(leave); }
"""
COUNTER += "".join(
    f"int clRelease{name}(void *o) {{ return released += child, 0; }}\n" for name in TYPES
)
PROGRAM = """
import ctypes, gc, os, sys, warnings
import numpy as np
from ladder import offload
from ladder.devices import opencl
warnings.simplefilter("ignore")  # Python 3.12 warns of forks in processes with threads
device = offload.devices[0]
stream, kernel = device.create_stream(), device.load_library(offload.kind.EMPTY).empty
bound, event = stream.bind(np.ones(8)), stream.record()
stream.sync()
BEFORE
child = os.fork()
if child == 0:
    ctypes.CDLL(None).count()
    bound.release()
    del stream, kernel, bound, event
    gc.collect()
    sys.exit()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="LD_PRELOAD is Linux's")
@pytest.mark.parametrize("before", ["", "gc.freeze()"])
def test_a_forked_child_releases_no_driver_object(device, tmp_path, before):
    if device.engine.name != "opencl":
        pytest.skip("only OpenCL's driver counts references")
    (tmp_path / "counter.c").write_text(COUNTER)
    counter = host_compiler.compiled(tmp_path / "counter.c", {})
    variables = {"LD_PRELOAD": str(counter), "POLYMASK_OFFLOAD_DEVICES": "opencl"}
    done = run("-c", PROGRAM.replace("BEFORE", before), **variables)
    assert done.stdout == "0\n", done.stderr
