"""Build the fuzz targets of the engine and the C library by clang, and run them: `make fuzz`.

A target is a file of csrc/engine/fuzz or csrc/fuzz; inputs that reach its code lie in corpus/
beside it. A run begins with those, keeps what else it finds in build/fuzz/corpus, and writes what
ends a target to build/fuzz/crashes.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path

import promises
from commands import ran

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build/fuzz"
MOST_BYTES = 600  # of an input: a target reads no more
MOST_FILES = 48  # of a target in the repository, the smallest
OPTIONS = [f"-max_len={MOST_BYTES}", "-len_control=0", "-timeout=120", "-rss_limit_mb=2048"]
# Small quarantine, no filling: half of the time would go into fresh pages. Threads that spin at the
# end of a loop would take the rest.
ENVIRONMENT = {
    "ASAN_OPTIONS": "quarantine_size_mb=8:max_malloc_fill_size=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "OMP_WAIT_POLICY": "passive",
}


class Unavailable(Exception):
    """What the targets are built with is not here."""


def corpora():
    """Return the folder of files that are kept in the repository, for each target by its name."""
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
        "CMAKE_BUILD_TYPE": "None",  # the optimisation is the targets' own
        "POLYMASK_FUZZ": "ON",
        "POLYMASK_TESTS": "OFF",
    }
    given = [f"-D{name}={value}" for name, value in options.items()]
    for command in (
        ["cmake", "-S", ROOT / "csrc/engine", "-B", BUILD, *given],
        ["cmake", "--build", BUILD, "-j", str(jobs or os.cpu_count())],
    ):
        done = ran(command)
        if done.returncode != 0:
            raise RuntimeError(done.stdout + done.stderr)


def program(name):
    """Return the program of a target, as `build` left it."""
    return BUILD / "fuzz" / f"polymask_fuzz_{name}"


def call(name, *arguments):
    """Run a target's program; return the finished process, with what libFuzzer said in stderr."""
    return ran([program(name), *OPTIONS, *arguments], environment=ENVIRONMENT, errors="replace")


def fuzz(name, seconds, seed=0, found=None):
    """Run a target for some seconds; return what went wrong, in words, and how often it ran.

    What it finds interesting goes to the folder `found`, from which it begins, too.
    """
    found = found or BUILD / "corpus" / name
    crashes = BUILD / "crashes"
    found.mkdir(parents=True, exist_ok=True)
    crashes.mkdir(exist_ok=True)
    done = call(
        name,
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        "-print_final_stats=1",
        f"-artifact_prefix={crashes}/{name}-",
        found,
        corpora()[name],
    )
    runs = 0
    for line in done.stderr.splitlines():
        if line.startswith("stat::number_of_executed_units:"):
            runs = int(line.split()[-1])
    return (done.stderr if done.returncode else None), runs


def keep(name):
    """Take what a target found into the repository: as few files as reach the same code."""
    kept = corpora()[name]
    fewer = BUILD / "fewer" / name
    shutil.rmtree(fewer, ignore_errors=True)
    fewer.mkdir(parents=True)
    # Code alone, not how often it ran: dozens of files instead of hundreds.
    done = call(name, "-set_cover_merge=1", "-use_counters=0", fewer, kept, BUILD / "corpus" / name)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    for file in kept.iterdir():
        if not file.name.startswith("found-"):  # what once failed stays
            file.unlink()
    for file in sorted(fewer.iterdir(), key=lambda file: file.stat().st_size)[:MOST_FILES]:
        shutil.copy(file, kept / file.name[:12])


def main():
    """Read the command line: see CONTRIBUTING."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="TARGET", help="default: all")
    parser.add_argument("--seconds", type=int, default=60, help="for each; default: 60")
    parser.add_argument("--seed", type=int, default=0, help="0: another one each time")
    parser.add_argument("--keep", action="store_true", help="then add to the repository's corpus")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(corpora()):
        parser.error(f"no target {', '.join(sorted(unknown))}: there are {', '.join(corpora())}")
    try:
        print("building the fuzz targets: some minutes the first time", flush=True)
        build()
    except Unavailable as missing:
        print(f"skipped: {missing}")
        return 0
    failed, inputs = 0, {}
    for name in asked.names or corpora():
        wrong, runs = fuzz(name, asked.seconds, asked.seed)
        inputs[name] = runs
        print(f"{name}: {runs:,} inputs, {'failed' if wrong else 'nothing found'}", flush=True)
        if wrong:
            failed += 1
            print(wrong[-6000:])
        elif asked.keep:
            keep(name)
    if failed:
        print(
            f"What failed lies in {(BUILD / 'crashes').relative_to(ROOT)}: copy it to the target's"
            " corpus as found-SOMETHING, and mend what it shows"
        )
    elif not asked.names:
        promises.record(
            "fuzzing",
            promise="No input makes the engine or the C library crash or differ from the rule.",
            how=f"make fuzz FUZZ_SECONDS={asked.seconds}",
            tests=["tests/fuzz_targets.py", "csrc/engine/fuzz/CMakeLists.txt"],
            figures={
                "targets": len(corpora()),
                "seconds each": asked.seconds,
                "inputs": sum(inputs.values()),
                "inputs of the target with the fewest": min(inputs.values()),
                "differences": 0,
            },
        )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
