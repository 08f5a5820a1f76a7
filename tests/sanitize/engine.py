"""The engine's tests, and the corpora of its and the C library's fuzz targets, with sanitizers."""

import os
import re
from pathlib import Path

from checkouts import ROOT
from sanitize.tools import FOLDER, Unavailable, need, run

FLAGS = "-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
GOOGLETEST = [Path("/usr/include/gtest"), Path("/usr/src/googletest")]


def build(source, folder):
    """Build all programs of a CMake project with sanitizers."""
    need("cmake", "cmake")
    if not any(map(Path.exists, GOOGLETEST)):
        raise Unavailable("needs GoogleTest: on Debian apt install libgtest-dev")
    run(["cmake", "-S", source, "-B", folder, "--log-level=NOTICE",
         "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_FLAGS={FLAGS}"])  # fmt: skip
    # The build runs a test program to list its tests.
    run(["cmake", "--build", folder, "-j", os.cpu_count()], environment=ENVIRONMENT)


def count_passed(folder):
    """Run the tests; return the number of passed tests."""
    output = run(
        ["ctest", "--test-dir", folder, "-j", os.cpu_count(), "--output-on-failure"],
        environment=ENVIRONMENT,
    )
    return int(re.search(r"tests passed, 0 tests failed out of (\d+)", output)[1])


def watch():
    """Build and run everything."""
    passed = 0
    for source in "engine", "fuzz":
        build(ROOT / "csrc" / source, FOLDER / source)
        passed += count_passed(FOLDER / source)
    return f"{passed} tests"
