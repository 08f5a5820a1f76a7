"""The engine under the thread sanitizer: a program of C++ that calls all of it at once.

And Python, where one thread changes the environment that the engine reads in others.
"""

import shutil
import subprocess

import fresh_python
import pytest
from checkouts import ROOT

STRESS = ROOT / "tests/library/engine_stress.cpp"


def ran(folder, *flags):
    """Build the program with its engine, and run it."""
    compiler = shutil.which("g++") or pytest.skip("there is no g++")
    engine = ROOT / "csrc/engine"
    flags = [*(engine / "exact_flags.txt").read_text().split(), *flags]
    flags += ["-std=c++20", "-O1", "-g1", "-pthread", "-fsanitize=thread"]
    built = subprocess.run(
        [compiler, *flags, f"-I{engine}/include", f"-I{engine}/src", "-o", folder / "stress",
         STRESS, *sorted(engine.glob("src/**/*.cpp"))],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "cannot find" in built.stderr:
        pytest.skip("g++ has no library of the thread sanitizer")
    assert built.returncode == 0, built.stderr
    done = subprocess.run(
        [folder / "stress"], capture_output=True, text=True, check=False, timeout=300
    )
    if "unexpected memory mapping" in done.stderr:
        pytest.skip("the sanitizer does not run on this kernel")
    return done


@pytest.mark.weekly
def test_no_two_threads_meet_in_the_engine(tmp_path):
    done = ran(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr[:4000]
    assert done.stdout == "good\n"


@pytest.mark.weekly
def test_a_planted_race_is_found_in_the_engine(tmp_path):
    done = ran(tmp_path, "-DPLANTED_RACE")
    assert done.returncode != 0, done.stdout
    assert "ThreadSanitizer: data race" in done.stderr
    assert "polymask::detail" in done.stderr


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
