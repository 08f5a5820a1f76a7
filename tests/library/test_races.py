"""The engine's own tests of many callers and threads, with the thread sanitizer.

And a Python program in which one thread changes the environment that the engine reads in others.
"""

import shutil
import subprocess

import fresh_python
import pytest
from checkouts import ROOT
from commands import ran

ENGINE = ROOT / "csrc/engine"
TESTS = [ENGINE / f"tests/test_{name}.cpp" for name in ("rounding", "threads", "labels")]
FILTER = "CallersOf.*:Threads.*:LabelsOf*"


@pytest.mark.weekly
def test_no_two_threads_meet_in_the_engine(tmp_path):
    compiler = shutil.which("g++") or pytest.skip("g++ is not installed")
    flags = (ENGINE / "exact_flags.txt").read_text().split()
    flags += ["-std=c++20", "-O1", "-g1", "-pthread", "-fsanitize=thread"]
    flags += [f"-I{ROOT / folder}" for folder in ("csrc", "csrc/engine/include", "csrc/engine/src")]
    build = subprocess.run(
        [compiler, *flags, "-o", tmp_path / "tests", *TESTS, *sorted(ENGINE.glob("src/**/*.cpp")),
         "-lgtest", "-lgtest_main"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "cannot find" in build.stderr or "gtest.h: No such file" in build.stderr:
        pytest.skip("the library of the thread sanitizer or GoogleTest is missing")
    assert build.returncode == 0, build.stderr
    command = [tmp_path / "tests", f"--gtest_filter=*{FILTER}"]
    completed = ran(command, timeout=300)
    if "unexpected memory mapping" in completed.stderr:
        pytest.skip("the sanitizer does not run on this kernel")
    assert completed.returncode == 0, completed.stdout + completed.stderr[:4000]
    assert "CallersOf" in completed.stdout


PROGRAM = """
import os, sys, threading, time
import polymask

triangle = [(1, 1), (20, 20), (40, 17)]
end = time.monotonic() + 6
expected = polymask.polygon_mask(triangle, (64, 64)).tobytes()
points = [(0, 0), (20, 18)]

def work():
    while time.monotonic() < end:
        assert polymask.polygon_mask(triangle, (64, 64)).tobytes() == expected
        polymask.pixel_counts([triangle], (64, 64))
        polymask.contains(triangle, points)
        polymask.coverage(triangle, (8, 8))

threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
number = 0
while time.monotonic() < end:  # the C library moves all variables as their number grows
    os.environ[f"VARIABLE_{number}"] = "1"
    number += 1
for thread in threads:
    thread.join()
print("the same")
"""


@pytest.mark.weekly
def test_the_environment_may_change_while_masks_are_made():
    completed = fresh_python.run("-c", PROGRAM)
    assert (completed.returncode, completed.stdout) == (0, "the same\n"), completed.stderr
