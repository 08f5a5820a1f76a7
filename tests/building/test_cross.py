"""Other processors: the engine's own tests under qemu, and arithmetic that must be refused."""

import json
import os
import platform
import shutil
from pathlib import Path

import pytest
from checkouts import ROOT
from commands import ran

ENGINE = ROOT / "csrc/engine"
PRESETS = {
    preset["name"]: preset["cacheVariables"]
    for preset in json.loads((ENGINE / "CMakePresets.json").read_text())["configurePresets"]
    if not preset.get("hidden")
}
# Large images take longest under qemu and do not depend on the processor; a forked child that
# starts a thread fails an assertion of qemu 7.2.
LEFT_OUT = "Large|TallAndWideImages|FarFromTheOrigin|AreStartedAnewInAForkedProcess"


def missing(variables):
    """Return a tool for another processor that is not installed, or None."""
    qemu = f"qemu-{variables['POLYMASK_CROSS_QEMU']}"
    if not shutil.which("cmake"):
        return "cmake"
    if not shutil.which(compiler := f"{variables['POLYMASK_CROSS']}-g++"):
        return compiler
    if not shutil.which(qemu) and not shutil.which(f"{qemu}-static"):
        return qemu
    if not Path("/usr/src/googletest/CMakeLists.txt").exists():
        return "the sources of GoogleTest (Debian's googletest)"
    return None


@pytest.mark.weekly
@pytest.mark.parametrize("preset", PRESETS)
def test_engine_on_another_processor(preset, root):
    if tool := missing(PRESETS[preset]):
        pytest.skip(f"not installed: {tool}")
    build = root / f"build/engine-{preset}"

    def run(*command):
        completed = ran(command, cwd=ENGINE)
        assert completed.returncode == 0, completed.stdout + completed.stderr
        return completed.stdout

    jobs = f"-j{os.cpu_count()}"
    run("cmake", "--preset", preset, "-B", build)
    run("cmake", "--build", build, jobs)
    output = run("ctest", "--test-dir", build, jobs, "--output-on-failure", "-E", LEFT_OUT)
    assert "100% tests passed" in output
    assert ("SmallImages/neon" in output) == (preset == "aarch64")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x87 is a part of x86")
@pytest.mark.parametrize(("flags", "refused"), [([], False), (["-mfpmath=387"], True)])
def test_arithmetic_wider_than_doubles_is_refused(flags, refused, root):
    if not shutil.which("gcc") or "clang" in ran(["gcc", "--version"]).stdout:  # as on macOS
        pytest.skip("no gcc, and clang has no -mfpmath=387 on x86-64")
    command = ["gcc", "-fsyntax-only", *flags, "-I", root / "csrc", "-xc", "-"]
    completed = ran(command, input='#include "inside_polygon.h"\n')
    assert (completed.returncode != 0) == refused
    assert ("compile with -msse2 -mfpmath=sse" in completed.stderr) == refused
