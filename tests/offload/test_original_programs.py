"""Programs and kernels in the style of pyMIC's examples: only the import is new."""

import os
import shutil
import subprocess

import pytest
from fresh_python import run

from ladder.offload.engines import source

# An ordinary loop, and C's own types.
OLD_KERNEL = """
#include <pymic_kernel.h>
PYMIC_KERNEL
void axpy(const double *alpha, const double *x, double *y, const long int *n)
{
    int i;
    for (i = 0; i < *n; i++)
        y[i] += *alpha * x[i];
}
"""
OLD_PROGRAM = """
import numpy as np
import ladder.offload as mic
device = mic.devices[0]
stream = device.default_stream
library = device.load_library(("libaxpy.so",))
x = stream.bind(np.arange(6.0).reshape(2, 3))
y = mic.OffloadArray(x.shape, x.dtype, x.order, device=device, stream=stream)
y.zero(10.0)
stream.invoke(library.axpy, 2.0, x, y, x.size)
flat = (-y / 2.0).reshape(6)
assert flat.base is not None and len(flat) == 6
stream.invoke(library.axpy, 1.0, flat.one(1.0), y.ravel(), 3)
y.update_host()
stream.sync()
print(*y.array.ravel(), y[1][2])
"""


@pytest.mark.skipif(os.name == "nt", reason="a shared library of POSIX")
def test_an_old_program_with_a_compiled_library_and_the_original_s_variables(tmp_path):
    compiler = shutil.which("cc") or pytest.skip("there is no cc")
    (tmp_path / "libs").mkdir()
    (tmp_path / "axpy.c").write_text(OLD_KERNEL)
    command = [compiler, "-shared", "-fPIC", f"-I{source.KERNELS}", tmp_path / "axpy.c"]
    subprocess.run([*command, "-o", tmp_path / "libs" / "libaxpy.so"], check=True)
    (tmp_path / "old.py").write_text(OLD_PROGRAM)
    variables = {"PYMIC_LIBRARY_PATH": "libs", "PYMIC_TRACE": "1"}
    done = run("old.py", cwd=tmp_path, POLYMASK_OFFLOAD_DEVICES="host", **variables)
    assert done.stdout == "11.0 13.0 15.0 16.0 18.0 20.0 20.0\n", done.stderr
    lines = [line for line in done.stderr.splitlines() if "invoke(kernel=axpy" in line]
    program = enumerate(OLD_PROGRAM.splitlines(), 1)
    numbers = [str(number) for number, line in program if "library.axpy" in line]
    assert [line.rpartition(":")[2] for line in lines] == numbers
