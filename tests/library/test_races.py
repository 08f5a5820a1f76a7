"""The engine's own tests of many callers and threads, under the thread sanitizer.

And Python, where one thread changes the environment that the engine reads in others.
"""

import shutil
import subprocess

import fresh_python
import pytest
from checkouts import ROOT
from commands import ran

ENGINE = ROOT / "csrc/engine"
TESTS = [ENGINE / f"tests/test_{name}.cpp" for name in ("rounding", "threads", "labels")]
ONLY = "CallersOf.*:Threads.*:LabelsOf*"


@pytest.mark.weekly
def test_no_two_threads_meet_in_the_engine(tmp_path):
    compiler = shutil.which("g++") or pytest.skip("there is no g++")
    flags = (ENGINE / "exact_flags.txt").read_text().split()
    flags += ["-std=c++20", "-O1", "-g1", "-pthread", "-fsanitize=thread"]
    flags += [f"-I{ROOT / folder}" for folder in ("csrc", "csrc/engine/include", "csrc/engine/src")]
    built = subprocess.run(
        [compiler, *flags, "-o", tmp_path / "tests", *TESTS, *sorted(ENGINE.glob("src/**/*.cpp")),
         "-lgtest", "-lgtest_main"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "cannot find" in built.stderr or "gtest.h: No such file" in built.stderr:
        pytest.skip("g++ has no library of the thread sanitizer, or no GoogleTest")
    assert built.returncode == 0, built.stderr
    command = [tmp_path / "tests", f"--gtest_filter=*{ONLY}"]
    done = ran(command, timeout=300)
    if "unexpected memory mapping" in done.stderr:
        pytest.skip("the sanitizer does not run on this kernel")
    assert done.returncode == 0, done.stdout + done.stderr[:4000]
    assert "CallersOf" in done.stdout


CHANGES_ITS_ENVIRONMENT = """
import os, sys, threading, time
import polymask

triangle = [(1, 1), (20, 20), (40, 17)]
ends = time.monotonic() + 6
expected = polymask.polygon_mask(triangle, (64, 64)).tobytes()
points = [(0, 0), (20, 18)]

def work():
    while time.monotonic() < ends:
        assert polymask.polygon_mask(triangle, (64, 64)).tobytes() == expected
        polymask.pixel_counts([triangle], (64, 64))
        polymask.contains(triangle, points)
        polymask.coverage(triangle, (8, 8))

threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
number = 0
while time.monotonic() < ends:  # the C library moves all variables as they become more
    os.environ[f"VARIABLE_{number}"] = "1"
    number += 1
for thread in threads:
    thread.join()
print("the same")
"""


@pytest.mark.weekly
def test_the_environment_may_change_while_masks_are_made():
    done = fresh_python.run("-c", CHANGES_ITS_ENVIRONMENT)
    assert (done.returncode, done.stdout) == (0, "the same\n"), done.stderr
