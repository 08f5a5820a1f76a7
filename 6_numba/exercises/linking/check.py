"""Link an answer for a GPU that need not be present, and run it on the host."""

import ctypes
import os
import shlex
import subprocess
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
from numba.core import sigutils
from numba.np import numpy_support

from ladder.devices import cuda_linking
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same

RTOL = 1e-12  # far finer than a float
NUMBERS, THREADS = 11, 12  # results of foo, and threads in the launch
CC = 9, 0  # of an H200
AS_CPP = ["-std=c++17", "-D__device__=", "-D__forceinline__=inline", "-D__noinline__="]


def check(answer, random):
    """Raise `CheckFailed` unless foo and bar link, agree in types, and compute the numbers."""
    if answer.SIGNATURE is None:
        raise CheckFailed("SIGNATURE is still None: write the declaration of bar for Python")
    child.step("compiling and linking the code")
    try:
        cuda_linking.link(answer.codes(CC), CC)
    except ValueError as error:
        raise CheckFailed(str(error)) from None
    except Exception as error:
        if type(error).__name__ == "NVRTCError":
            raise CheckFailed(f"NVRTC rejects DEFINITION: {first_error(str(error))}") from None
        raise
    rng = np.random.default_rng(random.randrange(10**6))
    start, step = rng.uniform(1, 2, 2).tolist()
    bar, statuses = declared(answer), []
    for i in (0, 7, 2**31 + 5, 2**52 + 1):
        child.step(f"calling bar({start}, {step}, {i})")
        status, value = bar(start, step, i)
        label = f"bar({start}, {step}, {i}), called in C with the types of SIGNATURE"
        same(value, start + i * step, label, RTOL)
        if status:
            raise CheckFailed(
                f"bar, in C: it returned the status {status}: return 0 for success; for any other "
                "value, Numba raises an exception"
            )
    child.step("running foo in Python and bar on the host")
    foo = answer.calling(lambda *numbers: statuses.append(0) or bar(*numbers)[1]).py_func
    out = np.full(NUMBERS, np.nan)
    for i in range(THREADS):
        thread = SimpleNamespace(grid=lambda _, i=i: i, gridsize=lambda _: THREADS)
        with mock.patch.dict(foo.__globals__, cuda=thread):
            foo(start, step, out)
    same(out, start + np.arange(NUMBERS) * step, "foo", RTOL)
    if not statuses:
        raise CheckFailed("foo computes the numbers itself and does not call bar")


def declared(answer):
    """Return bar, compiled for the host and called with the types of SIGNATURE: (status, value)."""
    result, arguments = sigutils.normalize_signature(answer.SIGNATURE)[::-1]
    types = [numpy_support.as_dtype(t) for t in (result, *arguments)]
    result, *arguments = map(np.ctypeslib.as_ctypes_type, types)
    child.step("compiling bar for this machine")
    function = on_the_host(answer.DEFINITION).bar
    function.argtypes = [ctypes.c_void_p, *arguments]

    def bar(*numbers):
        if len(numbers) != len(arguments):
            raise CheckFailed(f"SIGNATURE has {len(arguments)} arguments, but foo {len(numbers)}")
        memory = (ctypes.c_double * 2)(np.nan, np.nan)  # more than any result needs
        status = function(memory, *(t(n) for t, n in zip(arguments, numbers, strict=True)))
        return status, result.from_buffer(memory).value

    return bar


def first_error(text):
    """Return the first error in a compiler's output, without its location."""
    errors = [line.partition("error:")[2].strip() for line in text.splitlines() if "error:" in line]
    return (errors or text.splitlines() or [""])[0]


def on_the_host(text):
    """Compile code with the host's compiler, in the current folder, and load the library."""
    Path("bar.cpp").write_text(text, encoding="utf-8")
    compiler = [*shlex.split(os.environ.get("CXX", "c++")), *AS_CPP, "-shared", "-fPIC"]
    command = [*compiler, "-o", "bar.so", "bar.cpp"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise CheckFailed(f"the host's compiler rejects DEFINITION: {first_error(run.stderr)}")
    return ctypes.CDLL(str(Path("bar.so").resolve()))
