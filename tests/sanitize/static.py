"""cppcheck and clang-tidy report nothing about our C and C++."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from checkouts import ROOT
from sanitize.tools import Finding, Unavailable, need, run

CPPCHECK = [
    "--enable=warning,performance,portability",
    "--std=c++20",
    "--std=c11",
    "--inline-suppr",
    "--error-exitcode=1",
    "--quiet",
    "--force",  # every configuration of the preprocessor
    "--suppress=missingIncludeSystem",
    "-Dinline=",  # cppcheck 2.10 does not read `namespace polymask::inline v0_1`
]


# Headers that no file in csrc includes, or only generated code.
HEADERS = ["csrc/offload/queue.hpp", "csrc/threads.h", "ladder/cost/prices.h"]
FOLDERS = [  # engine/tests consists mostly of GoogleTest's macros
    *("csrc", "csrc/engine/src", "csrc/engine/src/*", "csrc/engine/bench", "csrc/engine/examples"),
    *("csrc/engine/fuzz", "csrc/fuzz", "csrc/offload", "tests/offload"),
    *("2_clib/exercises/*", "7_offload/examples", "7_offload/exercises/*"),
]
INCLUDE = [
    *("csrc", "csrc/engine/include", "csrc/engine/src", "csrc/engine/tests"),
    *("csrc/engine/fuzz", "csrc/offload"),
]
# Kernels for arrays of one type, which ladder/offload/array_kernels.py defines.
ARRAYS = "csrc/offload/array.c"
TYPES = [
    *(["-DINTEGER", f"-DELEMENT={name}"] for name in ("int64_t", "uint8_t")),
    *(["-DFLOATING", "-DELEMENT=float"], ["-DCOMPLEX", "-DELEMENT=complex128"]),
]
BENCHMARK = Path("/usr/include/benchmark")
# Google's library owns the benchmarks passed to it; their preparation may be slow.
NOT_OF_BENCHMARKS = "-clang-analyzer-cplusplus.NewDeleteLeaks,-performance-inefficient-*"


def sources():
    """Return all C and C++ files of our programs and libraries, and the headers."""
    files = [file for folder in FOLDERS for file in ROOT.glob(f"{folder}/*.c*")]
    return sorted(
        [file for file in files if file.suffix in (".c", ".cpp")]
        + [ROOT / header for header in HEADERS]
    )


def readings(files):
    """Yield each file with each of its sets of definitions."""
    for file in files:
        for defines in TYPES if file == ROOT / ARRAYS else [[]]:
            yield file, defines


def cppcheck(files):
    """Run cppcheck on files and their includes."""
    need("cppcheck", "cppcheck")
    include = [f"-I{ROOT / folder}" for folder in INCLUDE]
    command = ["cppcheck", *CPPCHECK, "-j", os.cpu_count(), *include]
    run([*command, *(file for file in files if file != ROOT / ARRAYS)])
    for file, defines in readings(file for file in files if file == ROOT / ARRAYS):
        run([*command, *defines, file])


def clang_tidy(files):
    """Run clang-tidy on files, several at a time, with the checks in .clang-tidy."""
    need("clang-tidy", "clang-tidy")
    exact = (ROOT / "csrc/engine/exact_flags.txt").read_text().split()
    include = [f"-I{ROOT / folder}" for folder in INCLUDE]

    def findings(file, defines):
        of_c = file.suffix in (".c", ".h")
        language = ["-xc", "-std=c11"] if of_c else ["-xc++", "-std=c++20"]
        options = ["--quiet", f"--config-file={ROOT / '.clang-tidy'}"]
        if file.parent == ROOT / "csrc/engine/bench":
            options += [f"--checks={NOT_OF_BENCHMARKS}"]
        try:
            run(["clang-tidy", *options, file, "--", *language, *exact, *defines, *include])
        except Finding as finding:
            return str(finding)
        return ""

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        if texts := [t for t in pool.map(lambda r: findings(*r), readings(files)) if t]:
            raise Finding("\n".join(texts))


def watch():
    """Run both tools on all files."""
    if not BENCHMARK.exists():
        raise Unavailable("needs Google Benchmark: on Debian apt install libbenchmark-dev")
    cppcheck(sources())
    clang_tidy(sources())
    return f"{len(sources())} source files with their headers"
