"""Build the fuzz targets of the engine and the C library with clang, and run them: `make fuzz`.

A target is a file in csrc/engine/fuzz or csrc/fuzz; the inputs that reach its code are in corpus/
beside it. A run begins with these, adds inputs to build/fuzz/corpus, and writes those with which a
target crashes to build/fuzz/crashes. As a program, this adds build/fuzz/corpus to the repository.
"""

import os
import shutil
from pathlib import Path

from commands import ran

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build/fuzz"
MOST_BYTES = 600  # per input: a target reads no more
MOST_FILES = 48  # per target in the repository, the smallest
OPTIONS = [f"-max_len={MOST_BYTES}", "-len_control=0", "-timeout=120", "-rss_limit_mb=2048"]
# A small quarantine without filling: otherwise new pages take half of the time. Threads that spin
# at the end of a loop would take the rest.
ENVIRONMENT = {
    "ASAN_OPTIONS": "quarantine_size_mb=8:max_malloc_fill_size=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "OMP_WAIT_POLICY": "passive",
}


class Unavailable(Exception):
    """A tool that builds the targets is missing."""


def corpora():
    """Map the name of each target to its folder of inputs in the repository."""
    return {
        folder.name: folder
        for folder in sorted(ROOT.glob("csrc/**/fuzz/corpus/*"))
        if folder.is_dir()
    }


def build(jobs=None):
    """Build all targets, with the engine under sanitizers."""
    for tool in ("cmake", "clang++"):
        if not shutil.which(tool):
            raise Unavailable(f"the fuzz targets need {tool}: on Debian apt install cmake clang")
    probe = ran(
        ["clang++", "-x", "c++", "-", "-fsanitize=fuzzer", "-o", os.devnull],
        input='extern "C" int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long)'
        " { return 0; }",
    )
    if probe.returncode != 0:
        raise Unavailable("this clang++ has no libFuzzer: on Debian apt install libclang-rt-dev")
    options = {
        "CMAKE_C_COMPILER": "clang",
        "CMAKE_CXX_COMPILER": "clang++",
        "CMAKE_BUILD_TYPE": "None",  # the targets set their own optimisation
        "CMAKE_RUNTIME_OUTPUT_DIRECTORY": BUILD / "programs",
        "POLYMASK_FUZZ": "ON",
        "POLYMASK_TESTS": "OFF",
    }
    definitions = [f"-D{name}={value}" for name, value in options.items()]
    for source in "engine", "fuzz":
        for command in (
            ["cmake", "-S", ROOT / "csrc" / source, "-B", BUILD / source, *definitions],
            ["cmake", "--build", BUILD / source, "-j", str(jobs or os.cpu_count())],
        ):
            done = ran(command)
            if done.returncode != 0:
                raise RuntimeError(done.stdout + done.stderr)


def program(name):
    """Return the path of a target's program."""
    return BUILD / "programs" / f"polymask_fuzz_{name}"


def call(name, *arguments):
    """Run a target's program; return the completed process, with libFuzzer's output in stderr."""
    return ran([program(name), *OPTIONS, *arguments], environment=ENVIRONMENT, errors="replace")


def fuzz(name, seconds, seed=0, corpus=None):
    """Run a target for some seconds; return its error message or None, and the number of runs.

    Inputs that reach new code are added to the folder `corpus`, whose inputs it begins with.
    """
    corpus = corpus or BUILD / "corpus" / name
    crashes = BUILD / "crashes"
    corpus.mkdir(parents=True, exist_ok=True)
    crashes.mkdir(exist_ok=True)
    done = call(
        name,
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        "-print_final_stats=1",
        f"-artifact_prefix={crashes}/{name}-",
        corpus,
        corpora()[name],
    )
    runs = 0
    for line in done.stderr.splitlines():
        if line.startswith("stat::number_of_executed_units:"):
            runs = int(line.split()[-1])
    return (done.stderr if done.returncode else None), runs


def keep(name):
    """Add a target's inputs to the repository: the fewest files that reach the same code."""
    corpus = corpora()[name]
    minimal = BUILD / "fewer" / name
    shutil.rmtree(minimal, ignore_errors=True)
    minimal.mkdir(parents=True)
    # Only which code ran, not how often: dozens of files instead of hundreds.
    options = "-set_cover_merge=1", "-use_counters=0"
    done = call(name, *options, minimal, corpus, BUILD / "corpus" / name)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    for file in corpus.iterdir():
        if not file.name.startswith("found-"):  # inputs that once failed stay
            file.unlink()
    for file in sorted(minimal.iterdir(), key=lambda file: file.stat().st_size)[:MOST_FILES]:
        shutil.copy(file, corpus / file.name[:12])


if __name__ == "__main__":
    build()
    for name in corpora():
        keep(name)
