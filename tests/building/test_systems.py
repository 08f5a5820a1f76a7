"""Systems other than Linux, as far as they can be tested here."""

import shlex
import shutil
import sys

import numpy as np
import pytest
from checkouts import ROOT
from commands import ran

from ladder.registry import reference, workload

FRANCE = ROOT / "examples" / "france.csv"
CP1252 = {"PYTHONIOENCODING": "cp1252"}  # as Windows encodes output into a file or a pipe


def without_posix(folder, *arguments):
    """Run a command without POSIX and /proc; see without_posix.py."""
    program = ROOT / "tests/support/without_posix.py"
    command = [sys.executable, "-X", "warn_default_encoding", program]
    return ran([*command, *arguments], CP1252, cwd=folder, encoding="cp1252", timeout=600)


@pytest.mark.slow
def test_the_library_makes_masks_without_posix(tmp_path):
    np.save(tmp_path / "vertices.npy", workload.polygon(20, (50, 60)))
    code = """
import numpy as np, polymask
vertices = np.load("vertices.npy")
np.save("mask.npy", polymask.polygon_mask(vertices, (50, 60), threads=2))
inside = polymask.contains(vertices, [(x, y) for y in range(50) for x in range(60)])
np.save("contains.npy", inside.reshape(50, 60))
np.save("labels.npy", polymask.label_mask([vertices], (50, 60)))
"""
    completed = without_posix(tmp_path, "-c", code)
    assert completed.returncode == 0, completed.stderr
    expected = reference.mask(workload.polygon(20, (50, 60)), (50, 60))
    for name in ("mask", "contains", "labels"):
        np.testing.assert_array_equal(np.load(tmp_path / f"{name}.npy"), expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        "run cclass.polygon --size 32 --save mask.png",
        f"mask {shlex.quote(str(FRANCE))} --shape 20x30 --fit -o mask.npz",
        "explain cython.typed --size 32",
        "profile python.tuples --size 16",
        "doctor",
        "bench --size 16 --rungs python.tuples,cython.typed --json b.json",
    ],
    ids=lambda command: command.split()[0],
)
def test_a_command_runs_without_posix(tmp_path, command):
    completed = without_posix(tmp_path, *shlex.split(command))
    assert completed.returncode == 0, completed.stderr
    assert "Traceback" not in completed.stdout + completed.stderr


@pytest.mark.slow
def test_a_check_of_the_workshop_says_what_it_needs(tmp_path):
    assert without_posix(tmp_path, "workshop", "start").returncode == 0
    completed = without_posix(tmp_path / "workshop", "workshop", "check", "profile")
    assert completed.returncode == 1
    assert completed.stderr.splitlines()[-1].endswith(": use Linux, macOS or WSL")
    assert "Traceback" not in completed.stderr


@pytest.mark.weekly
def test_the_engine_passes_its_tests_on_windows(tmp_path):
    if not (shutil.which("x86_64-w64-mingw32-g++-posix") and shutil.which("wine")):
        pytest.skip("needs MinGW-w64 and Wine (Debian: g++-mingw-w64-x86-64-posix, wine64)")
    environment = {"WINEPREFIX": str(tmp_path / "wine"), "WINEDEBUG": "-all", "DISPLAY": ""}
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'csrc/engine/cmake/windows.cmake'}"
    program = tmp_path / "build/tests/polymask_tests.exe"
    try:
        for command in (
            ["cmake", "-S", ROOT / "csrc/engine", "-B", tmp_path / "build", toolchain],
            ["cmake", "--build", tmp_path / "build", "--target", "polymask_tests", "-j2"],
            ["wine", program, "--gtest_brief=1"],
        ):
            completed = ran(command, environment, errors="replace")
            assert completed.returncode == 0, completed.stdout + completed.stderr
        assert "[  PASSED  ]" in completed.stdout
    finally:  # Wine's server would outlive the test by some seconds, in a folder that is deleted
        ran(["wineserver", "-k", "-w"], environment)
