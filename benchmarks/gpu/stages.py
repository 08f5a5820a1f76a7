"""The stages of the run, in their order: commands, with a limit of time for each."""

from dataclasses import dataclass
from pathlib import Path

DEVICE = "cuda or linked or opencl or gpu or offload or device or bands"
DEVICE_TESTS = "cuda or opencl or offload or device or kernel or timeline or gpu"
FOLDERS = ("bench", "cli", "cost", "examples", "profiling", "report", "workshop")
# Exercises that use a device: all of these lessons, and some of lesson 6.
LESSONS = ("5_opencl", "7_offload")
OF_NUMBA = ("blocks", "distance", "linking", "matmul", "saxpy")
ON_HOST = "openmp.simd,scanline.engine,scanline.threads"
ON_DEVICE = "opencl.pixels,numba.gpu,offload.bound,scanline.opencl,scanline.cuda"
MORE = "numba.linked,offload.copied,offload.stream"
# Where a suite is interrupted, this warning of syrupy's would keep pytest from writing its results.
AT_END = "default::UserWarning:syrupy.session"


@dataclass(frozen=True)
class Stage:
    """Commands that are run one after another until one fails."""

    name: str
    seconds: int  # the limit of all its commands together
    commands: list
    tests: bool = False  # by pytest, whose last line has their numbers
    times: bool = False  # a device, so that it is skipped where there is none
    needed: bool = False  # by all other stages


def stages(python, work):
    """Return the stages for a Python, whose results go to a folder."""
    return [
        Stage("machine", 20, machine(python)),
        Stage("doctor", 60, [[python, "-m", "polymask", "doctor"]]),
        suite(python, "cuda", 120, "tests/cuda"),
        Stage("masks", 90, [[python, "-m", "benchmarks.cuda", str(work / "cuda")]], times=True),
        suite(python, "contract", 90, "tests/contract", "-k", DEVICE),
        suite(python, "offload", 150, "tests/offload"),
        suite(python, "devices", 90, "tests/devices"),
        suite(python, "ladder", 90, "tests/ladder", "-k", DEVICE),
        suite(python, "docs", 60, "tests/docs"),
        suite(
            python, "others", 60, *(f"tests/{name}" for name in FOLDERS), "-k", DEVICE_TESTS,
            marks="not slow and not weekly",
        ),
        suite(python, "exercises", 120, *exercises()),
        Stage("8192", 75, [bench(python, work, "8192", 10, "--size", "8192", "--rungs",
                                 f"{ON_HOST},{ON_DEVICE},{MORE}")], times=True),
        Stage("sweep", 75, [bench(python, work, "sweep", 15, "sweep", "size", "--rungs",
                                  f"{ON_HOST},{ON_DEVICE}")], times=True),
        Stage("1024", 150, [bench(python, work, "1024", 6)], times=True),
        Stage("costs", 90, [[python, "-m", "benchmarks.offload.measure", str(work / "offload"),
                             "--seconds", "0.3"]], times=True),
    ]  # fmt: skip


def machine(python):
    """Return the commands that describe the machine; a program that is missing is reported."""
    programs = ["nvidia-smi", "nvcc --version", "g++ --version", "lscpu", "git log -1 --format=%H"]
    lines = [f"{program} || true" for program in programs]
    return [["sh", "-c", "; ".join(lines)], [python, "-m", "pip", "list", "--format=freeze"]]


def suite(python, name, seconds, *chosen, marks="not weekly"):
    """Return the stage of a suite of tests; one that hangs for a minute shows where.

    Each process has a context on the device.
    """
    shared = ["-n", "auto", "--maxprocesses", "12", "-o", "faulthandler_timeout=45"]
    command = [python, "-m", "pytest", "-q", "-rfEs", "-p", "no:cacheprovider", "-m", marks]
    return Stage(name, seconds, [[*command, *shared, "-W", AT_END, *chosen]], tests=True)


def exercises():
    """Return the tests that verify the exercises which use a device."""
    folders = (folder for lesson in LESSONS for folder in Path(lesson, "exercises").iterdir())
    names = sorted({*OF_NUMBA, *(folder.name for folder in folders if folder.is_dir())})
    test = "tests/workshop/test_verified.py::test_an_exercise_is_verified"
    return [f"{test}[{name}]" for name in names]


def bench(python, work, name, seconds, *options):
    """Return the command of a measurement; `all` has no meaning for a sweep."""
    command = [python, "-m", "polymask", "bench", *options, "--force", "--seconds", str(seconds)]
    command += [] if "sweep" in options else ["--all"]
    return [*command, "--out", str(work / name), "--json", str(work / f"{name}.json")]
