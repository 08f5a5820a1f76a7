"""Libraries are unloaded when they are no longer used, but leave what must stay loaded."""

import os
import shutil
import subprocess
import sys

import pytest

PROGRAM = """
import gc

import numpy as np
from ladder import offload

device = offload.devices[0]
stream = device.get_default_stream()
made = device.load_library("threads.c")
threads = np.zeros(1, dtype=np.int64)
stream.invoke(made.count, threads)
assert threads[0] == 2, threads
del made
stream.sync()
gc.collect()
loaded = open("/proc/self/maps").read()
assert "ladder/offload/threads" not in loaded
print("libgomp" in loaded or "libomp" in loaded)
"""

SOURCE = """
#include "pymic_kernel.h"

PYMIC_KERNEL void count(int64_t *threads)
{
#pragma omp parallel num_threads(2)
#pragma omp atomic
    threads[0] += 1;
}
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc/self/maps")
@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_the_threads_of_openmp_outlive_the_library_that_brought_them(tmp_path):
    (tmp_path / "threads.c").write_text(SOURCE)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env=os.environ | {"POLYMASK_OFFLOAD_DEVICES": "host"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
