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
from numba import cuda
from numba.core import sigutils

from polymask.common.staleness import ROOT
from polymask.devices import cuda_linking
from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.check_failed import CheckFailed, same

RTOL = 1e-12  # far finer than a float
NUMBERS, THREADS, BLOCK = 11, 12, 4  # results of foo; threads in the launch, and in a block
CC = 9, 0  # of an H200
EXACT = (ROOT / "csrc/engine/exact_flags.txt").read_text(encoding="utf-8").split()
AS_CPP = ["-x", "c++", "-std=c++17", "-D__device__=", "-D__forceinline__=inline", "-D__noinline__="]
# The type of bar as C++ encodes it (Itanium C++ ABI), such as FiPdddxE: letters, and Numba's names
TYPE = """
#include <typeinfo>
extern "C" const char *type_of_bar() { return typeid(bar).name(); }
"""
NAMES = {
    "d": "float64", "f": "float32", "b": "bool", "a": "int8", "c": "int8", "h": "uint8",
    "s": "int16", "t": "uint16", "i": "int32", "j": "uint32", "l": "int64", "m": "uint64",
    "x": "int64", "y": "uint64", "v": "void",
}  # fmt: skip
CALLED = """
extern "C" int call_bar(double *answer, double start, double step, long long i)
{
    return bar(answer, start, step, i);
}
"""


def check(answer, random):
    """Raise `CheckFailed` unless foo and bar link, agree in types, and compute the numbers."""
    if answer.SIGNATURE is None:
        raise CheckFailed("SIGNATURE is still None: write the declaration of bar for Python")
    if answer.NAME != "bar":
        raise CheckFailed(f"NAME: the function is called bar, not {answer.NAME}")
    child.step("compiling and linking the code")
    try:
        codes = answer.codes(CC)
    except Exception as error:
        if type(error).__name__ == "NVRTCError":
            raise CheckFailed(f"NVRTC rejects DEFINITION: {first_error(str(error))}") from None
        raise
    if not isinstance(codes, list | tuple) or len(codes) != 2:
        raise CheckFailed("codes(cc): expected a list of two, the code of foo and that of bar")
    if not cuda_linking.link(codes, CC).startswith(b"\x7fELF"):
        raise CheckFailed("the linked result is not device code")
    child.step("comparing the types in Python and in C")
    check_types(answer)
    check_numbers(answer, np.random.default_rng(random.randrange(10**6)))


def check_types(answer):
    """Raise `CheckFailed` unless both languages have the same types, which no linker checks."""
    arguments, result = sigutils.normalize_signature(answer.SIGNATURE)
    type_of_bar = on_the_host(answer.DEFINITION + TYPE, "types").type_of_bar
    type_of_bar.restype = ctypes.c_char_p
    encoded = re.fullmatch("(?:Do)?FY?(.*)E", type_of_bar().decode())[1]
    status, first, *parameters = [*re.findall("P?(?:K?[a-z]|.+)", encoded), ""]
    if first[:1] != "P":
        raise CheckFailed(
            "bar, in C: the first parameter must be a pointer to the result, which Numba passes "
            "before all other arguments"
        )
    if status != "i":
        raise CheckFailed(
            f"bar, in C: it must return its status, an int, but it returns {numba_name(status)}"
        )
    if numba_name(first[1:]) != str(result):
        raise CheckFailed(
            f"SIGNATURE: the result of bar is {result}, but in C the first parameter points to "
            f"{numba_name(first[1:])}: this links, but the results are wrong"
        )
    parameters = [numba_name(parameter) for parameter in parameters if parameter]
    if len(parameters) != len(arguments):
        raise CheckFailed(
            f"SIGNATURE: bar takes {len(arguments)} numbers, but in C it takes "
            f"{len(parameters)} after the first pointer: this links all the same"
        )
    for number, (argument, parameter) in enumerate(zip(arguments, parameters, strict=True), 1):
        if str(argument) != parameter:
            raise CheckFailed(
                f"SIGNATURE: argument {number} is {argument}, but in C {parameter}: this links, "
                "but the results are wrong"
            )


def numba_name(letters):
    """Return Numba's name of a C type."""
    return NAMES.get(letters, letters)


def check_numbers(answer, rng):
    """Raise `CheckFailed` unless foo in Python and bar, compiled for this machine, are right."""
    function = on_the_host(answer.DEFINITION + CALLED, "values").call_bar
    double, statuses = ctypes.c_double, set()
    function.argtypes = [ctypes.POINTER(double), double, double, ctypes.c_longlong]

    def bar(start, step, i):
        value = double(np.nan)
        statuses.add(function(value, start, step, int(i)))
        return value.value

    start, step = rng.uniform(1, 2, 2).tolist()
    for i in (0, 7, 2**31 + 5, 2**52 + 1):
        label = f"bar({start}, {step}, {i})"
        child.step(f"calling {label}")
        same(bar(start, step, i), start + i * step, label, RTOL)
    if statuses != {0}:
        raise CheckFailed(
            f"bar, in C: it returned the status {max(statuses, key=abs)}: return 0 for success; "
            "for any other value, Numba raises an exception"
        )
    statuses.clear()
    child.step("running foo in Python and bar on the host")
    foo = getattr(answer.calling(bar), "py_func", None)
    if foo is None:
        raise CheckFailed("calling(bar) must return a kernel: is `@cuda.jit` missing?")
    stubs = {id(getattr(cuda, name)): name for name in thread(0)}
    own = {key: stubs[id(value)] for key, value in foo.__globals__.items() if id(value) in stubs}
    out = np.full(NUMBERS, np.nan)
    for i in range(THREADS):
        values = thread(i)
        imported = {key: values[name] for key, name in own.items()}
        try:
            with mock.patch.multiple(cuda, **values), mock.patch.dict(foo.__globals__, imported):
                foo(start, step, out)
        except IndexError:
            raise CheckFailed(
                f"foo: {THREADS} threads were launched for {NUMBERS} numbers, and thread {i} "
                "writes beyond the end"
            ) from None
    same(out, start + np.arange(NUMBERS) * step, "foo", RTOL)
    if not statuses:
        raise CheckFailed("foo computes the numbers itself and does not call bar")


def thread(i):
    """Return the values in `numba.cuda` that identify thread i of a launch."""
    return {
        "grid": lambda dimensions: i,
        "gridsize": lambda dimensions: THREADS,
        "threadIdx": SimpleNamespace(x=i % BLOCK),
        "blockIdx": SimpleNamespace(x=i // BLOCK),
        "blockDim": SimpleNamespace(x=BLOCK),
        "gridDim": SimpleNamespace(x=THREADS // BLOCK),
    }


def first_error(text):
    """Return the first error in a compiler's output, without its location."""
    lines = [line.strip() for line in text.splitlines()]
    message = next((line for line in lines if "error:" in line), lines[0] if lines else "")
    return message.partition("error:")[2].strip() or message


def on_the_host(text, name):
    """Compile code with the host's compiler, in the current folder, and load the library."""
    source, library = Path(f"{name}.cpp"), Path(f"{name}.so")
    source.write_text(text, encoding="utf-8")
    compiler = shlex.split(os.environ.get("CXX", "c++"))
    flags = [*AS_CPP, "-O2", *EXACT, "-shared", "-fPIC", "-I", ROOT / "csrc", "-o", library]
    run = subprocess.run(
        [*compiler, *flags, source], capture_output=True, text=True, errors="replace", check=False
    )
    if run.returncode:
        raise CheckFailed(f"the host's compiler rejects DEFINITION: {first_error(run.stderr)}")
    return ctypes.CDLL(str(library.resolve()))
