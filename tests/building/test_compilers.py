"""The library produces the same bytes with any compiler at any level of optimisation.

Each installed compiler compiles the engine at several levels; a program prints digests of masks,
labels, runs and fractions of 400 hostile polygons, with each instruction set of the processor.
"""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import promises
import pytest
from cases import says
from checkouts import ROOT
from commands import ran

from ladder.offload import array_kernels
from ladder.offload.engines.source import KERNELS as OFFLOAD

EXACT = (ROOT / "csrc/engine/exact_flags.txt").read_text(encoding="utf-8").split()
TESTS = ROOT / "csrc/engine/tests"
SOURCES = [*sorted(ROOT.glob("csrc/engine/src/**/*.cpp")), TESTS / "digests.cpp"]
INCLUDE, SRC = ROOT / "csrc/engine/include", ROOT / "csrc/engine/src"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
# `make engine` compares the same digests at -O3. The first level has no extension of GCC's either.
LEVELS = ["-O0 -DPOLYMASK_STANDARD -pedantic-errors", f"-O3 -march=native {' '.join(WARNINGS)}"]
NAMES = [f"{kind}{end}" for kind in ("g++", "clang++") for end in ("", *range(-24, -9))]
# Each compiler once: g++ is usually the same as one with a number.
INSTALLED = {Path(place).resolve(): name for name in NAMES if (place := shutil.which(name))}
COMPILERS = list(INSTALLED.values())
POLYGONS = 400  # in digests.cpp
pytestmark = pytest.mark.weekly

# The promise: every machine prints these bytes. `make engine` compares them too.
EXPECTED = (TESTS / "digests.txt").read_text(encoding="utf-8")
DIGESTS = dict(line.split() for line in EXPECTED.splitlines())


def c_of(compiler):
    """Return the C compiler that belongs to a C++ compiler."""
    return compiler.replace("clang++", "clang").replace("g++", "gcc")


def digests(compiler, flags, folder):
    """Compile all with these flags, and return the lines that the program prints."""
    folder.mkdir(exist_ok=True)

    def compile_one(source):
        object_file = folder / f"{source.name}.o"
        command = [compiler, "-std=c++20", *flags, "-I", INCLUDE, "-I", SRC]
        completed = ran([*command, "-c", source, "-o", object_file])
        assert completed.returncode == 0, completed.stderr
        return object_file

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_one, SOURCES))
    program = folder / "digest"
    subprocess.run([compiler, *objects, "-pthread", "-o", program], check=True)
    completed = ran([program], check=True)
    return [line.split() for line in completed.stdout.splitlines()]


@pytest.fixture(scope="module")
def builds(request):
    """The builds of all compilers, whose number is recorded with a promise."""
    builds = []
    yield builds
    if request.session.testsfailed == 0 and len(builds) == len(COMPILERS) * len(LEVELS):
        promises.record(
            "compilers",
            promise="All compilers produce the same bytes at every optimisation level.",
            how="python -m pytest tests/building/test_compilers.py",
            tests=["tests/building/test_compilers.py", "csrc/engine/tests/digests.cpp"],
            figures={
                "compilers": len({compiler for compiler, _ in builds}),
                "builds": len(builds),
                "polygons per build": POLYGONS,
                "differing bytes": 0,
            },
        )


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level[:3])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_bytes_are_those_of_any_other_build(compiler, level, tmp_path, builds):
    lines = digests(compiler, [*level.split(), *EXACT], tmp_path / "built")
    assert [kind for kind, _ in lines[:7]] == list(DIGESTS)
    assert len(lines) % 6 == 1
    assert all(DIGESTS[kind] == digest for kind, digest in lines)
    builds.append((compiler, level))


def fuses():
    """Whether this processor has a fused multiply-add that a compiler may use."""
    cpuinfo = Path("/proc/cpuinfo")
    return cpuinfo.exists() and " fma " in cpuinfo.read_text(encoding="utf-8")


@pytest.mark.skipif(not fuses(), reason="this processor has no known fused multiply-add")
@pytest.mark.parametrize("compiler", COMPILERS[:1])
def test_an_engine_compiled_with_fused_operations_refuses_to_run(compiler, tmp_path):
    """The rule itself has nothing to fuse, as it divides before it adds."""
    flags = ["-O2", "-march=native", "-ffp-contract=fast"]
    with pytest.raises(subprocess.CalledProcessError) as error:
        digests(compiler, flags, tmp_path / "built")
    assert says(error.value.stderr, "flags", "exact_flags.txt")


PROBE = """
#include <cmath>
#include "kernels/kernels.hpp"
using polymask::detail::Arithmetic;
#include "kernels/generic/is_exact.inl"
int main() { return !is_exact(Arithmetic::unknown_to_the_compiler()); }
"""
INEXACT = [
    *("-ffast-math", "-funsafe-math-optimizations", "-freciprocal-math", "-ffinite-math-only"),
    "-fassociative-math -fno-signed-zeros -fno-trapping-math",
    "-fno-honor-nans",  # clang's name
    *["-march=native -ffp-contract=fast"] * fuses(),
]


@pytest.mark.parametrize("flags", INEXACT)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_each_part_of_fast_math_is_found(compiler, flags, tmp_path):
    """The compiler detects it, or else the engine; our flags, which come last, undo it."""
    source, program = tmp_path / "probe.cpp", tmp_path / "probe"
    source.write_text(PROBE)

    def is_exact(*flags):
        command = [compiler, "-std=c++20", "-O3", "-ffp-contract=off", *INCLUDES]
        result = ran([*command, *flags, source, "-o", program])
        if "unrecognized" in result.stderr:
            pytest.skip(f"{compiler} has no {flags[-1]}")
        assert result.returncode == 0 or "masks are not exact with -ffast-math" in result.stderr
        return result.returncode == 0 and subprocess.run([program], check=False).returncode == 0

    assert is_exact()
    assert not is_exact(*flags.split())
    assert is_exact(*flags.split(), *EXACT)


INCLUDES = [f"-I{ROOT / folder}" for folder in ("csrc", "csrc/engine/include", "csrc/engine/src")]
KERNELS = sorted(OFFLOAD.glob("*.c"))
ELEMENTS = [[f"-DELEMENT={name}", f"-D{kind}"] for name, kind in array_kernels.TYPES.values()]


def warnings_of(compiler, file, *flags):
    """Return a compiler's warnings on a file, which is C by its suffix, or C++ by flags."""
    is_c = file.suffix == ".c" and "c++" not in flags
    command = [c_of(compiler) if is_c else compiler, "-std=c11" if is_c else "-std=c++20"]
    command += [*EXACT, *WARNINGS, *INCLUDES, "-fsyntax-only", *flags, file]
    return ran(command).stderr


def all_warnings(compiler, jobs):
    """Return the warnings of all jobs, each a file and its flags."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return "".join(pool.map(lambda job: warnings_of(compiler, *job), jobs))


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_no_compiler_warns(compiler, language, tmp_path):
    """Of the rungs, the examples, the benchmarks if Google Benchmark is installed, and offload.

    The kernels of the offload runtime are valid C, C++ and OpenCL C; array.c is for each type.
    """
    texts = {
        "queue.cpp": '#include "offload/queue.hpp"\n',
        "benchmark.cpp": "#include <benchmark/benchmark.h>\n",
        "openmp.c": "#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    queue, benchmark, openmp = map(tmp_path.joinpath, texts)
    files = [queue, *ROOT.glob("csrc/*.cpp"), *ROOT.glob("csrc/engine/examples/*.c*")]
    files += [] if warnings_of(compiler, benchmark) else ROOT.glob("csrc/engine/bench/*.cpp")
    # without its OpenMP a compiler does not know the pragmas
    has_openmp = not warnings_of(compiler, openmp, "-x", language, "-fopenmp")
    flags = ["-x", language, "-fopenmp" if has_openmp else "-Wno-unknown-pragmas"]
    jobs = [
        [file, *flags, *defines]
        for file in KERNELS
        for defines in (ELEMENTS if file.name == "array.c" else [[]])
    ]
    assert all_warnings(compiler, [*jobs, *([file] for file in files)]) == ""


def read_header(compiler, name, *flags):
    """Let a compiler read a header; return its exit code and its messages."""
    language = [] if "-x" in flags else ["-x", "c++"]
    command = [compiler, *flags, *language, "-I", INCLUDE, "-fsyntax-only", "-"]
    completed = ran(command, input=f"#include <polymask/{name}>\n")
    return completed.returncode, completed.stderr


@pytest.mark.parametrize("header", sorted(file.name for file in INCLUDE.glob("polymask/*.hpp")))
@pytest.mark.parametrize("compiler", COMPILERS)
def test_headers_compile_alone_and_name_their_requirements(compiler, header):
    assert read_header(compiler, header, "-std=c++20", "-ffast-math", *WARNINGS) == (0, "")
    assert says(read_header(compiler, header, "-std=c++17")[1], "polymask's", "require", "C++20")


@pytest.mark.parametrize("compiler", COMPILERS)
def test_the_header_for_c_is_c99_and_cpp(compiler):
    flags = ["-std=c99", *WARNINGS, "-Wstrict-prototypes", "-x", "c"]
    assert read_header(c_of(compiler), "polymask.h", *flags) == (0, "")
    assert read_header(compiler, "polymask.h", "-std=c++11", *WARNINGS) == (0, "")
