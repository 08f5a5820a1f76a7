"""Links an answer for a GPU that is not here, compares its two sides' types, and runs both here."""

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
NUMBERS, THREADS, BLOCK = 11, 12, 4  # that foo makes; that are launched, and those of a block
CC = 9, 0  # an H200's
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
        raise CheckFailed("SIGNATURE is still None: write down what Python is told of bar")
    if answer.NAME != "bar":
        raise CheckFailed(f"NAME: the function is called bar, not {answer.NAME}")
    child.step("compiling and linking it")
    try:
        codes = answer.codes(CC)
    except Exception as error:
        if type(error).__name__ == "NVRTCError":
            raise CheckFailed(f"NVRTC refuses DEFINITION: {first_error(str(error))}") from None
        raise
    if not isinstance(codes, list | tuple) or len(codes) != 2:
        raise CheckFailed("codes(cc): expected a list of two, the code of foo and that of bar")
    if not cuda_linking.link(codes, CC).startswith(b"\x7fELF"):
        raise CheckFailed("what was linked is no code of a device")
    child.step("comparing the types of both sides")
    check_types(answer)
    check_numbers(answer, np.random.default_rng(random.randrange(10**6)))


def check_types(answer):
    """Raise `CheckFailed` unless both languages have the same types: the linker has not looked."""
    arguments, gives = sigutils.normalize_signature(answer.SIGNATURE)
    type_of_bar = on_the_host(answer.DEFINITION + TYPE, "types").type_of_bar
    type_of_bar.restype = ctypes.c_char_p
    encoded = re.fullmatch("(?:Do)?FY?(.*)E", type_of_bar().decode())[1]
    status, first, *parameters = [*re.findall("P?(?:K?[a-z]|.+)", encoded), ""]
    if first[:1] != "P":
        raise CheckFailed(
            "bar, in C: the first parameter is to be a pointer, to where the answer goes: Numba "
            "hands one over before all others"
        )
    if status != "i":
        raise CheckFailed(
            f"bar, in C: it is to return an int, its status, and returns {named(status)}"
        )
    if named(first[1:]) != str(gives):
        raise CheckFailed(
            f"SIGNATURE says that bar gives {gives}, and in C its first parameter points to "
            f"{named(first[1:])}: it links all the same, and computes nonsense"
        )
    parameters = [named(one) for one in parameters if one]
    if len(parameters) != len(arguments):
        raise CheckFailed(
            f"SIGNATURE says that bar takes {len(arguments)} numbers, and in C it takes "
            f"{len(parameters)} behind the first pointer: it links all the same"
        )
    for number, (here, there) in enumerate(zip(arguments, parameters, strict=True), 1):
        if str(here) != there:
            raise CheckFailed(
                f"SIGNATURE: argument {number} is {here}, and in C {there}: it links all the same, "
                "and computes nonsense"
            )


def named(letters):
    """Return what Numba calls a type of C's."""
    return NAMES.get(letters, letters)


def check_numbers(answer, rng):
    """Raise `CheckFailed` unless foo in Python, and bar compiled for this machine, are right."""
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
            f"bar, in C: it returned {max(statuses, key=abs)}, which is its status: 0 says that "
            "all went well, and anything else is an exception for Numba"
        )
    statuses.clear()
    child.step("running foo by Python, and bar by the host")
    foo = getattr(answer.calling(bar), "py_func", None)
    if foo is None:
        raise CheckFailed("calling(bar) returns no kernel: is there a `@cuda.jit`?")
    stubs = {id(getattr(cuda, name)): name for name in thread(0)}
    own = {key: stubs[id(value)] for key, value in foo.__globals__.items() if id(value) in stubs}
    out = np.full(NUMBERS, np.nan)
    for i in range(THREADS):
        here = thread(i)
        imported = {key: here[name] for key, name in own.items()}
        try:
            with mock.patch.multiple(cuda, **here), mock.patch.dict(foo.__globals__, imported):
                foo(start, step, out)
        except IndexError:
            raise CheckFailed(
                f"foo: {THREADS} threads were launched for {NUMBERS} numbers, and thread {i} "
                "writes beyond the end"
            ) from None
    same(out, start + np.arange(NUMBERS) * step, "foo", RTOL)
    if not statuses:
        raise CheckFailed("foo computes the numbers by itself: it does not call bar")


def thread(i):
    """Return what `numba.cuda` has to say in a thread of which all others have their turn, too."""
    return {
        "grid": lambda dimensions: i,
        "gridsize": lambda dimensions: THREADS,
        "threadIdx": SimpleNamespace(x=i % BLOCK),
        "blockIdx": SimpleNamespace(x=i // BLOCK),
        "blockDim": SimpleNamespace(x=BLOCK),
        "gridDim": SimpleNamespace(x=THREADS // BLOCK),
    }


def first_error(text):
    """Return the first error of a compiler's, without the place."""
    lines = [line.strip() for line in text.splitlines()]
    found = next((line for line in lines if "error:" in line), lines[0] if lines else "")
    return found.partition("error:")[2].strip() or found


def on_the_host(text, name):
    """Compile a text by the host's compiler, in the working folder of the process; load it."""
    source, library = Path(f"{name}.cpp"), Path(f"{name}.so")
    source.write_text(text, encoding="utf-8")
    compiler = shlex.split(os.environ.get("CXX", "c++"))
    flags = [*AS_CPP, "-O2", *EXACT, "-shared", "-fPIC", "-I", ROOT / "csrc", "-o", library]
    done = subprocess.run(
        [*compiler, *flags, source], capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise CheckFailed(f"the host's compiler refuses DEFINITION: {first_error(done.stderr)}")
    return ctypes.CDLL(str(library.resolve()))
