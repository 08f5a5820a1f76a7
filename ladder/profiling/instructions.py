"""Counts of the instructions per mask for each rung, made with callgrind and free of noise.

A count is reproducible under the same conditions: compiler, Python, NumPy and so on. Valgrind
simulates the same processor, without AVX-512, on all machines of an architecture. This module fixes
everything else that could change a count.
"""

import json
import os
import platform
import shlex
import sys
import sysconfig
import tempfile
from pathlib import Path

from ladder.bench import machine
from ladder.bench.result import InstructionCount, Instructions
from ladder.profiling import counted, tools
from ladder.registry import workload
from polymask.common.null_progress import NullProgress
from polymask.contract import Unavailable

SMALLEST = 256  # pixels of the first image; plain Python takes 100,000 instructions per pixel
ENOUGH = 10_000_000  # instructions per mask; the next image would take four times as many
ISA = "instruction set"  # a condition that only the counted process can determine
# Variables that Python, valgrind and the engine need.
KEPT = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "VALGRIND_LIB", "POLYMASK_ISA")
KEPT += ("PYTHONPATH", "PYTHONHOME")
MALLOC = ("mmap_threshold=1032", "top_pad=0", "tcache_count=127")
FIXED = {
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    # Make the alignment of a mask and the search of malloc independent of freed memory: a large
    # block is a new mapping, a small block comes from the thread's own list.
    "GLIBC_TUNABLES": ":".join(f"glibc.malloc.{setting}" for setting in MALLOC),
}


def count(chosen, vertices, shape, *, options=None, upto=None, progress=None):
    """Count the instructions of the rungs that run on the processor, and omit other rungs.

    Rungs compiled just in time are omitted, too: they would be compiled for valgrind's processor.

    Images grow up to `shape`, which is not empty, until a mask takes enough instructions, or to the
    image that `upto` may give for a rung's key, one of `image_sizes`. Rungs have one thread, even
    if `options` has another number.
    """
    tools.choose("callgrind")
    chosen = [rung for rung in chosen if not (rung.device or rung.jit)]
    progress = progress or NullProgress()
    progress.begin("counting instructions", len(chosen))
    rungs, failed, isa = {}, {}, ""
    for rung in chosen:
        progress.working(f"{rung.key}: counting instructions", long=True)
        rung_options, image = (options or {}).get(rung.key, {}), (upto or {}).get(rung.key)
        try:
            rung.load()
            result = count_one(rung, vertices, shape, rung_options, image)
        except Unavailable as unavailable:
            failed[rung.key] = str(unavailable)
        else:
            image, isa = tuple(result["image"]), result["isa"]
            rungs[rung.key] = InstructionCount(image=image, instructions=result["instructions"])
        progress.advance(1)
    return Instructions(
        conditions=conditions(isa),
        polygon_sha256=workload.sha256(vertices),
        rungs=rungs,
        failed=failed,
    )


def count_one(rung, vertices, shape, options, image=None):
    """Count a rung in a new process, so that other rungs cannot affect the count."""
    images = image_sizes(shape)
    enough = ENOUGH if image is None else sys.maxsize
    with tempfile.TemporaryDirectory() as folder:
        job_file, dumps = Path(folder, "job.json"), Path(folder, "dumps")
        dumps.mkdir()
        job = {"key": rung.key, "options": tools.one_thread(rung, options), "shape": shape}
        job |= {"images": images[: images.index(image) + 1] if image else images}
        job |= {"vertices": vertices.tolist(), "enough": enough, "dumps": str(dumps)}
        job_file.write_text(json.dumps(job), encoding="utf-8")
        mark = f"--dump-before={counted.MARK.__name__}"
        command = [*tools.callgrind(dumps / "callgrind", mark), sys.executable]
        command += ["-m", "ladder.profiling.counted", str(job_file)]
        return json.loads(tools.must_start(command, "valgrind", environment()))


def image_sizes(shape):
    """Return the shapes of images, each half the size of the next one; the last is `shape`."""
    images = [tuple(shape)]
    while images[0][0] * images[0][1] > SMALLEST:
        rows, cols = images[0]
        images.insert(0, ((rows + 1) // 2, (cols + 1) // 2))
    return images


def environment():
    """Return an environment in which only the `conditions` affect a count."""
    return {name: os.environ[name] for name in KEPT if name in os.environ} | FIXED


def conditions(isa):
    """Return the conditions, besides the sources, that a count depends on."""
    build = machine.build_facts()
    valgrind = tools.must_start(["valgrind", "--version"], "valgrind")
    return {
        "architecture": platform.machine(),
        ISA: isa,
        "compiler": f"{build['compiler']} {build['flags']}",
        "Cython": str(build["cython"]),
        "Python": python(),
        "NumPy": str(machine.package_version("numpy")),
        "C library": " ".join(platform.libc_ver()),
        "valgrind": valgrind.strip().removeprefix("valgrind-"),
    }


def python():
    """Return Python's version and build options, as some builds are a third faster."""
    arguments = shlex.split(sysconfig.get_config_var("CONFIG_ARGS") or "")
    prefixes = ("--enable-", "--with-", "--disable-")
    options = [argument for argument in arguments if argument.startswith(prefixes)]
    names = sorted(option for option in options if "/" not in option)  # omit paths
    return ", ".join([platform.python_version(), platform.python_compiler(), *names])
