"""The extension modules, built with checks, under the tests that call them.

Each kind is built in a copy of the checkout, so that the checkout never imports such a module.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from check import QUICK
from checkouts import KeptCheckout
from sanitize.tools import FOLDER, Unavailable, run

LEFT_OUT = [
    *("numba", "opencl", "cuda", "sycl"),  # their compilers are external and slow
    *("rungs_code", "within_a_second"),  # tests of the ordinary modules
    "nvcc",  # it crashes if a sanitizer is loaded first
    "forked_while_threads",  # gcc's sanitizer forks while its allocator may be locked
]


class Copy(KeptCheckout):
    """A copy of the checkout whose modules are checked."""

    suites = ("contract", "cost", "ladder", "library", "offload", "properties")  # most calls
    left_out = LEFT_OUT
    # pytest would lose a sanitizer's last message if it captured file descriptors.
    options = ("--capture=sys",)

    def build(self, *only):
        """Build all modules, or some of them."""
        for options in [[f"--only={name}"] for name in only] or [[]]:
            command = [self.python, "setup.py", "-q", "build_ext", "--inplace", *options]
            run(command, self.root, self.for_build())

    def test(self, *arguments):
        """Run tests; return the number of passed tests."""
        always = ["-q", "-x", "-p", "no:cacheprovider"]
        command = [self.python, "-m", "pytest", *always, *self.options, *arguments]
        output = run(command, self.root, self.for_tests())
        return int(re.search(r"(\d+) passed", output)[1])

    def for_build(self):
        """Return the environment variables of the build."""
        return {}

    def for_tests(self):
        """Return the environment variables of the tests."""
        return {
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_WAIT_POLICY": "passive",
            "POLYMASK_OFFLOAD_DEVICES": "host",  # other devices have external drivers
            "POLYMASK_RECORD": "",  # only the main program records figures
        }


class Sanitized(Copy):
    """Modules with gcc's sanitizers for addresses and undefined behaviour."""

    # They limit the address space, but the sanitizer reserves terabytes of it.
    left_out = (*LEFT_OUT, "a_build_on_a_full_disk", "an_engine_without_memory")

    def for_build(self):
        """See setup.py."""
        return {"POLYMASK_SANITIZE": "address,undefined"}

    def for_tests(self):
        """Load the sanitizer before Python, and the library whose exceptions it intercepts.

        Python's own allocator would hide accesses beyond a block. Python's memory at exit would be
        reported as leaks; tests/memory tests for leaks. Tests expect a MemoryError, not an abort.
        """
        return super().for_tests() | {
            "LD_PRELOAD": " ".join(map(library, ["libasan.so", "libstdc++.so"])),
            "PYTHONMALLOC": "malloc",
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
            "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        }


def library(name):
    """Return the path of one of gcc's libraries."""
    gcc = shutil.which("gcc")
    query = [gcc, f"-print-file-name={name}"]
    path = subprocess.run(query, capture_output=True, text=True, check=True).stdout if gcc else name
    file = Path(path.strip())
    if sys.platform != "linux" or not file.is_absolute():
        raise Unavailable(f"needs gcc on Linux, and its {name}")
    return str(file.resolve())


class Checked(Copy):
    """Modules with Cython's checks of indices, attributes and integer overflow.

    `wraparound` stays off, so a negative index is refused like one beyond the end: a test that
    passes here also passes with it on. Exceptions do not abort the process, so all suites that run
    modules are tested, two files at once.
    """

    suites = (
        *Copy.suites,
        *("bench", "cli", "devices", "examples", "profiling", "report", "workshop"),
    )
    # Tests that read the sources, whose first lines enable these checks.
    left_out = (*LEFT_OUT, "starters", "line_of_the_starter", "annotate")
    options = ("-n", "2", "--dist", "loadfile")

    DIRECTIVES = "boundscheck=True, initializedcheck=True, nonecheck=True, overflowcheck=True"

    @classmethod
    def edited(cls, name, content):
        """Enable the checks at the top of a file, which overrides Cython's options.

        The address of an array's first element is taken even if it is empty; that is not an access.
        """
        if not name.endswith(".pyx"):
            return content
        text = re.sub(r"^(# cython: .*)boundscheck=False, ", r"\1", content.decode(), count=1)
        text = re.sub(r"&([\w.]+)\[0\]", r"(&\1[0] if \1.shape[0] else NULL)", text)
        both = r"\1.shape[0] and \1.shape[1]"
        text = re.sub(r"&([\w.]+)\[0, 0(, 0)?\]", rf"(&\1[0, 0\2] if {both} else NULL)", text)
        return f"# cython: {cls.DIRECTIVES}\n{text}".encode()


def watch(kind, name):
    """Build all modules of a kind and run the suites."""
    copy = kind(FOLDER / name)
    copy.build()
    chosen = ["-m", QUICK, "-k", f"not ({' or '.join(copy.left_out)})"]
    tests = copy.test(*chosen, *(f"tests/{suite}" for suite in copy.suites))
    return f"{tests} tests"
