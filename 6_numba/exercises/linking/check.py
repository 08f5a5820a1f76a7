"""Link an answer for a GPU that need not be present, compare the types, and run it on the host."""

import ctypes
import os
import re
import shlex
import subprocess
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
from numba.core import sigutils

from ladder.devices import cuda_linking
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same

RTOL = 1e-12  # far finer than a float
NUMBERS, THREADS = 11, 12  # results of foo, and threads in the launch
CC = 9, 0  # of an H200
AS_CPP = ["-std=c++17", "-D__device__=", "-D__forceinline__=inline", "-D__noinline__="]
# The address of bar, and its type as C++ encodes it (Itanium C++ ABI), such as FiPdddxE
ADDED = """
#include <typeinfo>
extern "C" const void *address_of_bar() { return (const void *)bar; }
extern "C" const char *type_of_bar() { return typeid(bar).name(); }
"""
NAMES = {
    "d": "float64", "f": "float32", "b": "bool", "a": "int8", "c": "int8", "h": "uint8",
    "s": "int16", "t": "uint16", "i": "int32", "j": "uint32", "l": "int64", "m": "uint64",
    "x": "int64", "y": "uint64", "v": "void",
}  # fmt: skip
BAR = "int32(float64*, float64, float64, int64)"


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
    child.step("comparing the types in Python and in C")
    library = on_the_host(answer.DEFINITION + ADDED)
    library.type_of_bar.restype = ctypes.c_char_p
    in_c = named(library.type_of_bar().decode())
    arguments, result = sigutils.normalize_signature(answer.SIGNATURE)
    in_python = f"int32({', '.join([f'{result}*', *map(str, arguments)])})"
    if in_c != in_python:
        raise CheckFailed(
            f"with this SIGNATURE, bar must be {in_python} in C, but it is {in_c}: this links, but "
            "the results are wrong"
        )
    if in_c.replace("uint64", "int64") != BAR:
        raise CheckFailed(f"bar must be {BAR} in C, but it is {in_c}")
    check_numbers(answer, library, np.random.default_rng(random.randrange(10**6)))


def named(encoded):
    """Return the type of a function, with Numba's names, from that of C++."""
    result, *parameters = re.findall("P?K?[a-z]", re.sub("^(Do)?FY?", "", encoded))
    names = [NAMES.get(each[-1], each) + "*" * (each[0] == "P") for each in parameters]
    return f"{NAMES.get(result, result)}({', '.join(names)})"


def check_numbers(answer, library, rng):
    """Raise `CheckFailed` unless foo in Python and bar, compiled for this machine, are right."""
    double, statuses = ctypes.c_double, []
    library.address_of_bar.restype = ctypes.c_void_p
    function = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.POINTER(double), double, double, ctypes.c_longlong
    )(library.address_of_bar())

    def bar(start, step, i):
        value = double(np.nan)
        statuses.append(function(ctypes.byref(value), start, step, int(i)))
        return value.value

    start, step = rng.uniform(1, 2, 2).tolist()
    for i in (0, 7, 2**31 + 5, 2**52 + 1):
        child.step(f"calling bar({start}, {step}, {i})")
        same(bar(start, step, i), start + i * step, f"bar({start}, {step}, {i})", RTOL)
    if any(statuses):
        raise CheckFailed(
            f"bar, in C: it returned the status {max(statuses, key=abs)}: return 0 for success; "
            "for any other value, Numba raises an exception"
        )
    statuses.clear()
    child.step("running foo in Python and bar on the host")
    foo, out = answer.calling(bar).py_func, np.full(NUMBERS, np.nan)
    for i in range(THREADS):
        thread = SimpleNamespace(grid=lambda _, i=i: i, gridsize=lambda _: THREADS)
        with mock.patch.dict(foo.__globals__, cuda=thread):
            foo(start, step, out)
    same(out, start + np.arange(NUMBERS) * step, "foo", RTOL)
    if not statuses:
        raise CheckFailed("foo computes the numbers itself and does not call bar")


def first_error(text):
    """Return the first error in a compiler's output, without its location."""
    return (re.findall("error: *(.*)", text) or text.splitlines() or [""])[0]


def on_the_host(text):
    """Compile code with the host's compiler, in the current folder, and load the library."""
    Path("bar.cpp").write_text(text, encoding="utf-8")
    compiler = [*shlex.split(os.environ.get("CXX", "c++")), *AS_CPP, "-shared", "-fPIC"]
    run = subprocess.run(
        [*compiler, "-o", "bar.so", "bar.cpp"], capture_output=True, text=True, check=False
    )
    if run.returncode:
        raise CheckFailed(f"the host's compiler rejects DEFINITION: {first_error(run.stderr)}")
    return ctypes.CDLL(str(Path("bar.so").resolve()))
