"""Links an answer for a GPU that is not here, compares its two sides' types, and runs both here."""

import contextlib
import ctypes
import os
import shlex
import struct
import subprocess
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
from numba import cuda
from numba.core import sigutils

from polymask.common.staleness import ROOT
from polymask.devices import cuda_linking
from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.wrong import Wrong, same

BYTES = {"f": "a float", "i": "a signed integer", "u": "an unsigned integer", "p": "a pointer"}
RTOL = 1e-12  # far finer than a float
NUMBERS, THREADS = 11, 12  # that foo makes, and that are launched: whole blocks
CC = 9, 0  # an H200's
EXACT = (ROOT / "csrc/engine/exact_flags.txt").read_text(encoding="utf-8").split()
AS_CPP = ["-x", "c++", "-std=c++17", "-D__device__=", "-D__forceinline__=inline", "-D__noinline__="]
MARK = 8675309.25  # what a bar of ours gives
BLOCK, GRID = 4, 2**31  # of a block, and of all of them: no thread has a second turn
OURS = """
extern "C" __device__ int bar(double *answer, double start, double step, long long i)
{
    *answer = %r;
    return 0;
}
"""
# Says of each type what it is, and how many bytes it has; then lets bar be called by its C name.
TOLD = """
#include <type_traits>
template <class T> constexpr char kind()
{
    return std::is_pointer<T>::value         ? 'p'
           : std::is_floating_point<T>::value ? 'f'
           : !std::is_integral<T>::value      ? '?'
           : std::is_signed<T>::value         ? 'i'
                                              : 'u';
}
template <class R, class... A> const char *told(R (*)(A...))
{
    const char kinds[] = {kind<R>(), kind<A>()...}, sizes[] = {sizeof(R), sizeof(A)...};
    static char text[2 * sizeof kinds + 1];
    for (unsigned i = 0; i < sizeof kinds; i++) {
        text[2 * i] = kinds[i];
        text[2 * i + 1] = '0' + sizes[i];
    }
    return text;
}
template <class R, class T, class... A> const char *points_to(R (*)(T *, A...))
{
    static const char text[] = {kind<T>(), char('0' + sizeof(T)), 0};
    return text;
}
template <class R, class... A> const char *points_to(R (*)(A...)) { return ""; }
extern "C" const char *types_of_bar() { return told(bar); }
extern "C" const char *target_of_bar() { return points_to(bar); }
"""
CALLED = """
extern "C" int call_bar(double *answer, double start, double step, long long i)
{
    return bar(answer, start, step, i);
}
"""


def check(answer, random):
    """Raise `Wrong` unless foo and bar link, agree in their types, and compute the numbers."""
    if answer.SIGNATURE is None:
        raise Wrong("SIGNATURE is still None: write down what Python is told of bar")
    if answer.NAME != "bar":
        raise Wrong(f"NAME: the function is called bar, not {answer.NAME}")
    child.step("compiling and linking it")
    facts = linked(answer)
    if not facts["is_code"]:
        raise Wrong("what was linked is no code of a device")
    agree(answer)
    if not facts["calls"]:
        raise Wrong(
            "foo was linked with a bar of ours, and gives what it gave before: it does not call bar"
        )
    rng = np.random.default_rng(random.randrange(10**6))
    numbers(answer, rng)


def agree(answer):
    """Raise `Wrong` unless both languages have the same types: the linker has not looked."""
    child.step("comparing the types of both sides")
    (answered, *taken), (types, target) = told(answer), defined(answer)
    status, first, *parameters = [*types, ""]
    if first[:1] != "p":
        raise Wrong(
            "bar, in C: the first parameter is to be a pointer, to where the answer goes: Numba "
            "hands one over before all others"
        )
    if status != "i4":
        raise Wrong(f"bar, in C: it is to return an int, its status, and returns {words(status)}")
    if target != answered:
        raise Wrong(
            f"SIGNATURE says that bar gives {words(answered)}, and in C its first parameter points "
            f"to {words(target)}: it links all the same, and computes nonsense"
        )
    parameters = [one for one in parameters if one]
    if len(parameters) != len(taken):
        raise Wrong(
            f"SIGNATURE says that bar takes {len(taken)} numbers, and in C it takes "
            f"{len(parameters)} behind the first pointer: it links all the same"
        )
    for number, (here, there) in enumerate(zip(taken, parameters, strict=True), 1):
        if here != there:
            raise Wrong(
                f"SIGNATURE: argument {number} is {words(here)}, and in C {words(there)}: it links "
                "all the same, and computes nonsense"
            )


def words(type_):
    """Return what a type is called."""
    kind, size = type_[:1], type_[1:]
    return f"{BYTES[kind]} of {size} bytes" if kind in BYTES and size.isdigit() else type_


def numbers(answer, rng):
    """Raise `Wrong` unless the kernel, in Python, and bar, in C, make the numbers."""
    for i in (0, 7, 2**31 + 5, 2**52 + 1):
        start, step = rng.uniform(1, 2, 2).tolist()
        label = f"bar({start}, {step}, {i})"
        child.step(f"calling {label}")
        same(bar_of(answer, start, step, i), start + i * step, label, RTOL)
    start, step = rng.uniform(1, 2, 2).tolist()
    child.step("running foo by Python, and bar by the host")
    facts = values(answer, start, step, NUMBERS, THREADS)
    same(facts["out"], start + np.arange(NUMBERS) * step, "foo", RTOL)
    if facts["statuses"] != [0]:
        raise Wrong(
            f"bar, in C: it returned {facts['statuses'][-1]}, which is its status: 0 says that all "
            "went well, and anything else is an exception for Numba"
        )


def linked(module):
    """Return facts of what is linked for the GPU."""
    codes = made(module)
    cubin = cuda_linking.link(codes, CC)
    ours = cuda_linking.code_of_text(OURS % MARK, CC)
    with_ours = cuda_linking.link([codes[0], ours], CC, "ptx").decode()
    bits = struct.unpack(">q", struct.pack(">d", MARK))[0]
    return {
        "is_code": cubin.startswith(b"\x7fELF"),
        "calls": str(bits) in with_ours or f"{bits:x}" in with_ours.lower(),
    }


def made(module):
    """Return the codes of the answer, two texts of bytes."""
    try:
        codes = module.codes(CC)
    except Exception as error:
        if type(error).__name__ == "NVRTCError":
            raise Wrong(f"NVRTC refuses DEFINITION: {compiler_line(str(error))}") from None
        raise
    if not isinstance(codes, list | tuple) or len(codes) != 2:
        raise Wrong("codes(cc): expected a list of two, the code of foo and that of bar")
    return codes


def compiler_line(text):
    """Return the first error of a compiler's, without the place."""
    lines = [line.strip() for line in text.splitlines()]
    found = next((line for line in lines if "error:" in line), lines[0] if lines else "")
    return found.partition("error:")[2].strip() or found


def told(module):
    """Return what Python is told of bar, each type by its kind and its bytes: the answer first."""
    args, answer = sigutils.normalize_signature(module.SIGNATURE)
    return [in_short(one) for one in (answer, *args)]


def in_short(type_):
    """Return what C says of a type of Numba's: f8 for float64."""
    if type_ is None:
        return "nothing"
    if isinstance(type_, numba.types.Boolean):
        return "u1"
    if isinstance(type_, numba.types.Float):
        return f"f{type_.bitwidth // 8}"
    if isinstance(type_, numba.types.Integer):
        return f"{'i' if type_.signed else 'u'}{type_.bitwidth // 8}"
    return str(type_)


def defined(module):
    """Return the types that bar has in C: what it returns, what it takes, where that points to."""
    library = on_the_host(module.DEFINITION + TOLD, "types")
    types, target = (
        ctypes.CFUNCTYPE(ctypes.c_char_p)((name, library))().decode()
        for name in ("types_of_bar", "target_of_bar")
    )
    return [types[i : i + 2] for i in range(0, len(types), 2)], target


def on_the_host(text, name):
    """Compile a text by the host's compiler, into the folder that the process works in."""
    source, library = Path(f"{name}.cpp"), Path(f"{name}.so")
    source.write_text(text, encoding="utf-8")
    compiler = shlex.split(os.environ.get("CXX", "c++"))
    flags = [*AS_CPP, "-O2", *EXACT, "-shared", "-fPIC", "-I", ROOT / "csrc", "-o", library]
    done = subprocess.run(
        [*compiler, *flags, source], capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise Wrong(f"the host's compiler refuses DEFINITION: {compiler_line(done.stderr)}")
    return ctypes.CDLL(str(library.resolve()))


def values(module, start, step, n, threads):
    """Return what foo makes of an array, by bar as the host has compiled it, and bar's statuses.

    Python runs the kernel, a thread after the other.
    """
    bar, statuses = callable_bar(module)
    function = getattr(module.calling(bar), "py_func", None)
    if function is None:
        raise Wrong("calling(bar) returns no kernel: is there a `@cuda.jit`?")
    out = np.full(n, np.nan)
    with threads_of_python(function) as here:
        for i in range(threads):
            here.number = i
            try:
                function(start, step, out)
            except IndexError:
                raise Wrong(
                    f"foo: {threads} threads were launched for {n} numbers, and thread {i} writes "
                    "beyond the end"
                ) from None
    return {"out": out, "statuses": sorted(statuses)}


def callable_bar(module):
    """Return bar as Python calls it, of the host's making, and what statuses it has returned."""
    function = on_the_host(module.DEFINITION + CALLED, "values").call_bar
    double, statuses = ctypes.c_double, set()
    function.argtypes = [ctypes.POINTER(double), double, double, ctypes.c_longlong]

    def bar(start, step, i):
        answer = double(np.nan)
        statuses.add(int(function(answer, start, step, int(i))))
        return answer.value

    return bar, statuses


def bar_of(module, start, step, i):
    """Return what bar gives by itself."""
    return callable_bar(module)[0](start, step, i)


@contextlib.contextmanager
def threads_of_python(function):
    """Let a kernel that Python runs know which thread it is."""
    here = SimpleNamespace(number=0)

    def along_x(what):
        return type("Along", (), {"x": property(lambda self: what())})()

    there = {
        "grid": lambda dimensions: here.number,
        "gridsize": lambda dimensions: GRID,
        "threadIdx": along_x(lambda: here.number % BLOCK),
        "blockIdx": along_x(lambda: here.number // BLOCK),
        "blockDim": along_x(lambda: BLOCK),
        "gridDim": along_x(lambda: GRID // BLOCK),
    }
    fake = SimpleNamespace(**there)
    instead = {id(getattr(cuda, name)): value for name, value in there.items()}
    instead |= {id(cuda): fake, id(numba): SimpleNamespace(cuda=fake)}
    names = function.__globals__
    before = {name: value for name, value in names.items() if id(value) in instead}
    names.update({name: instead[id(value)] for name, value in before.items()})
    try:
        yield here
    finally:
        names.update(before)
