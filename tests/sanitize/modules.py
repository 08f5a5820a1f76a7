"""The extension modules, built to be watched, under the tests that call them.

Each kind lies in a copy of the checkout: no such module is ever imported in the checkout itself.
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
    *("numba", "opencl", "cuda", "sycl"),  # their compilers are not ours, and slow
    *("rungs_code", "within_a_second"),  # tell of modules as they are
    "nvcc",  # it does not survive that a sanitizer is loaded before it
    "forked_while_threads",  # gcc's sanitizer forks with the lock of its allocator as it is
]


class Copy(KeptCheckout):
    """A copy of the checkout whose modules are watched."""

    suites = ("contract", "cost", "ladder", "library", "offload", "properties")  # call them most
    left_out = LEFT_OUT
    # What a sanitizer says as it ends the process would be lost with what pytest captures.
    options = ("--capture=sys",)

    def build(self, *only):
        """Build all modules, or some."""
        for named in [[f"--only={name}"] for name in only] or [[]]:
            command = [self.python, "setup.py", "-q", "build_ext", "--inplace", *named]
            run(command, self.root, self.for_build())

    def test(self, *arguments):
        """Run tests; return how many passed."""
        always = ["-q", "-x", "-p", "no:cacheprovider"]
        command = [self.python, "-m", "pytest", *always, *self.options, *arguments]
        said = run(command, self.root, self.for_tests())
        return int(re.search(r"(\d+) passed", said)[1])

    def for_build(self):
        """Variables of the environment that the build takes."""
        return {}

    def for_tests(self):
        """Variables of the environment that the tests take."""
        return {
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_WAIT_POLICY": "passive",
            "POLYMASK_OFFLOAD_DEVICES": "host",  # the others have drivers that are not ours
            "POLYMASK_RECORD": "",  # what is told is told by who runs all parts
        }


class Sanitized(Copy):
    """Modules with gcc's sanitizers of addresses and undefined behaviour."""

    # They have a limit of addresses, of which the sanitizer takes terabytes.
    left_out = (*LEFT_OUT, "a_build_on_a_full_disk", "where_the_engine_has_no_memory")

    def for_build(self):
        """See setup.py."""
        return {"POLYMASK_SANITIZE": "address,undefined"}

    def for_tests(self):
        """Load the sanitizer before Python, and the library whose exceptions it watches.

        Python's own allocator would hide what is beyond a block; what Python still holds at its end
        would pass for leaks, which tests/memory looks for. Tests want a MemoryError, not an end.
        """
        return super().for_tests() | {
            "LD_PRELOAD": " ".join(map(library, ["libasan.so", "libstdc++.so"])),
            "PYTHONMALLOC": "malloc",
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
            "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        }


def library(name):
    """Return where gcc has one of its libraries."""
    gcc = shutil.which("gcc")
    asked = [gcc, f"-print-file-name={name}"]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout if gcc else name
    file = Path(said.strip())
    if sys.platform != "linux" or not file.is_absolute():
        raise Unavailable(f"needs gcc on Linux, and its {name}")
    return str(file.resolve())


class Checked(Copy):
    """Modules with Cython's checks of indices, attributes and sums of integers.

    A negative index is refused as one beyond the end is, as `wraparound` stays off: what passes
    here passes with it on. An exception ends no process, so there is time for every suite that
    runs modules, two files at once.
    """

    suites = (
        *Copy.suites,
        *("bench", "cli", "devices", "examples", "profiling", "report", "workshop"),
    )
    # Tests that read the sources, which have these checks in their heads.
    left_out = (*LEFT_OUT, "starters", "line_of_the_starter", "annotate")
    options = ("-n", "2", "--dist", "loadfile")

    DIRECTIVES = "boundscheck=True, initializedcheck=True, nonecheck=True, overflowcheck=True"

    @classmethod
    def edited(cls, name, content):
        """Put the checks into a file's head, which counts for more than any option of Cython.

        Where an array begins is asked of those without elements, too, and is no access.
        """
        if not name.endswith(".pyx"):
            return content
        text = re.sub(r"^(# cython: .*)boundscheck=False, ", r"\1", content.decode(), count=1)
        text = re.sub(r"&([\w.]+)\[0\]", r"(&\1[0] if \1.shape[0] else NULL)", text)
        both = r"\1.shape[0] and \1.shape[1]"
        text = re.sub(r"&([\w.]+)\[0, 0(, 0)?\]", rf"(&\1[0, 0\2] if {both} else NULL)", text)
        return f"# cython: {cls.DIRECTIVES}\n{text}".encode()


def watch(kind, name):
    """Build all modules of a kind, and run the suites."""
    copy = kind(FOLDER / name)
    copy.build()
    chosen = ["-m", QUICK, "-k", f"not ({' or '.join(copy.left_out)})"]
    tests = copy.test(*chosen, *(f"tests/{suite}" for suite in copy.suites))
    return f"{tests} tests"
