"""What cppcheck and clang-tidy say of our C and C++, which is nothing."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from checkouts import ROOT
from sanitize.tools import Found, Unavailable, need, run

CPPCHECK = [
    "--enable=warning,performance,portability",
    "--std=c++20",
    "--std=c11",
    "--inline-suppr",
    "--error-exitcode=1",
    "--quiet",
    "--force",  # every configuration of the preprocessor
    "--suppress=missingIncludeSystem",
]


# What no file of csrc includes, or only one that Cython writes.
HEADERS = ["csrc/offload/queue.hpp", "csrc/threads.h", "polymask/cost/prices.h"]
FOLDERS = [  # engine/tests are GoogleTest's macros for the most part
    *("csrc", "csrc/engine/src", "csrc/engine/src/*", "csrc/engine/bench", "csrc/engine/examples"),
    *("csrc/engine/fuzz", "csrc/fuzz", "csrc/offload", "tests/offload"),
    *("2_clib/exercises/*", "7_offload/examples", "7_offload/exercises/*"),
]
INCLUDE = [
    *("csrc", "csrc/engine/include", "csrc/engine/src", "csrc/engine/tests"),
    *("csrc/engine/fuzz", "csrc/offload"),
]
# Kernels for arrays of one type: polymask/offload/arrays.py defines it.
ARRAYS = "csrc/offload/array.c"
TYPES = [
    *(["-DINTEGER", f"-DELEMENT={name}"] for name in ("int64_t", "uint8_t")),
    *(["-DFLOATING", "-DELEMENT=float"], ["-DCOMPLEX", "-DELEMENT=complex128"]),
]
BENCHMARK = Path("/usr/include/benchmark")
# Google's library owns the benchmarks that are handed to it; what is made before one may take long.
NOT_OF_BENCHMARKS = "-clang-analyzer-cplusplus.NewDeleteLeaks,-performance-inefficient-*"


def sources():
    """Return all files of C and C++ that are a program or a library of ours, and headers."""
    found = [file for folder in FOLDERS for file in ROOT.glob(f"{folder}/*.c*")]
    return sorted(
        [file for file in found if file.suffix in (".c", ".cpp")]
        + [ROOT / header for header in HEADERS]
    )


def readings(files):
    """Yield a file and its definitions, as often as there are of these."""
    for file in files:
        for defines in TYPES if file == ROOT / ARRAYS else [[]]:
            yield file, defines


def cppcheck(files):
    """Let cppcheck read files, with what they include."""
    need("cppcheck", "cppcheck")
    include = [f"-I{ROOT / folder}" for folder in INCLUDE]
    command = ["cppcheck", *CPPCHECK, "-j", os.cpu_count(), *include]
    run([*command, *(file for file in files if file != ROOT / ARRAYS)])
    for file, defines in readings(file for file in files if file == ROOT / ARRAYS):
        run([*command, *defines, file])


def clang_tidy(files):
    """Let clang-tidy read files, several at a time; .clang-tidy says what it looks for."""
    need("clang-tidy", "clang-tidy")
    exact = (ROOT / "csrc/engine/exact_flags.txt").read_text().split()
    include = [f"-I{ROOT / folder}" for folder in INCLUDE]

    def said(file, defines):
        of_c = file.suffix in (".c", ".h")
        language = ["-xc", "-std=c11"] if of_c else ["-xc++", "-std=c++20"]
        options = ["--quiet", f"--config-file={ROOT / '.clang-tidy'}"]
        if file.parent == ROOT / "csrc/engine/bench":
            options += [f"--checks={NOT_OF_BENCHMARKS}"]
        try:
            run(["clang-tidy", *options, file, "--", *language, *exact, *defines, *include])
        except Found as found:
            return str(found)
        return ""

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        if found := [one for one in pool.map(lambda one: said(*one), readings(files)) if one]:
            raise Found("\n".join(found))


def watch():
    """Let both read all files."""
    if not BENCHMARK.exists():
        raise Unavailable("needs Google Benchmark: on Debian apt install libbenchmark-dev")
    cppcheck(sources())
    clang_tidy(sources())
    return f"{len(sources())} files with their includes"
