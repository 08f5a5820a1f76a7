"""Plant each defect of mutants.toml in a copy of the checkout: the tests that it names must fail.

`make mutants` runs all, `make mutants ONLY="nan-parity watertight-swap"` some. The copy and its
build are kept in build/mutants for the next run. The exit code is 1 if a defect is not caught.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import promises
from checkouts import ROOT, KeptCheckout
from mutants import table

from building.alone import alone

FOLDER = ROOT / "build/mutants"
LONGEST = 900  # seconds per test


class NotBuilt(Exception):
    """A mutant does not compile, so it shows nothing."""


class Hanging(Exception):
    """A test does not end, so it shows nothing."""


class Copy(KeptCheckout):
    """The copy of the checkout, with its own environment."""

    def set_up(self):
        """Make its environment, and start from the build products of the checkout."""
        super().set_up()
        self.take_products()

    def compile(self, *modules):
        """Build these extension modules, or all of them."""
        for only in [[f"--only={name}"] for name in modules] or [[]]:
            command = [self.python, "setup.py", "-q", "build_ext", "--inplace", *only]
            code, output = self.call(command)
            if code:
                raise NotBuilt(output)

    def pytest(self, *tests, junit=None):
        """Run tests until one fails; return pytest's exit code and output."""
        command = [self.python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        command += [f"--junitxml={junit}"] if junit else []
        return self.run_for(command)

    def run_for(self, command):
        """Run a command with the time limit of a test; return its exit code and output."""
        process = self.start(command)
        try:
            output, _ = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Hanging(f"{command[-1]} did not end within {LONGEST} s") from None
        return process.returncode, output


class Engine:
    """The engine's own tests, built with CMake in a separate folder."""

    def __init__(self, copy):
        self.folder = FOLDER / "engine"
        configure = ["cmake", "-S", copy.root / "csrc/engine", "-B", self.folder]
        configure += ["--log-level=NOTICE", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1"]
        copy.check(configure)
        self.copy = copy

    @staticmethod
    def missing():
        """Return the missing requirement, or ""."""
        if not shutil.which("cmake"):
            return "needs cmake"
        folders = (Path("/usr/include/gtest"), Path("/usr/src/googletest"))
        return "" if any(map(Path.exists, folders)) else "needs GoogleTest (libgtest-dev)"

    def compile(self):
        """Compile the changed files."""
        code, output = self.copy.call(["cmake", "--build", self.folder, "-j", str(os.cpu_count())])
        if code:
            raise NotBuilt(output)

    def run(self, test):
        """Run all instances of a test up to the first failure; return exit code and output."""
        program = self.folder / "tests/polymask_tests"
        options = [f"--gtest_filter=*{test}*", "--gtest_brief=1", "--gtest_break_on_failure"]
        return self.copy.run_for([program, *options])


class Check:
    """The check of some mutants, with everything needed built once."""

    def __init__(self, mutants):
        self.copy = Copy(FOLDER / "polymask")
        self.copy.compile()
        code = "from polymask.masks import _engine; print(*_engine.instruction_sets())"
        self.sets = self.copy.run(code).split()
        self.engine = None
        if any(mutant.of_engine and not self.obstacle(mutant) for mutant in mutants):
            self.engine = Engine(self.copy)
            self.engine.compile()

    def obstacle(self, mutant):
        """Return the reason why a mutant cannot be tested on this machine, or ""."""
        if mutant.needs and mutant.needs not in self.sets:
            return f"needs a processor with {mutant.needs}"
        return Engine.missing() if mutant.of_engine else ""

    def failure_without_defect(self, mutants):
        """Return the failure of the tests without a defect, or "" if all pass."""
        tests = sorted({test for mutant in mutants for test in mutant.of_pytest})
        junit = FOLDER / "unharmed.xml"
        code, output = self.copy.pytest(*tests, junit=junit) if tests else (0, "")
        if code:
            return output
        if tests:
            suite = ElementTree.parse(junit).getroot().find("testsuite")
            if suite.get("skipped") != "0":
                return f"some of the named tests are skipped here:\n{output}"
        for test in sorted({test for mutant in mutants for test in mutant.of_engine}):
            code, output = self.engine.run(test)
            if code or "[  PASSED  ] 0 tests" in output or "PASSED" not in output:
                return f"{test}:\n{output}"
        return ""

    def missed_by(self, mutant):
        """Plant a mutant; return the tests that do not fail, and remove it again."""
        file = self.copy.root / mutant.file
        text = file.read_text(encoding="utf-8")
        products = self.products()
        file.write_text(text.replace(mutant.before, mutant.after), encoding="utf-8")
        try:
            if mutant.build:
                self.copy.compile(*mutant.build)
            if mutant.of_engine:
                self.engine.compile()
            return [
                *(test for test in mutant.of_pytest if not self.fails(test)),
                *(test for test in mutant.of_engine if self.engine.run(test)[0] == 0),
            ]
        finally:
            file.write_text(text, encoding="utf-8")
            for product, content in products.items():
                product.write_bytes(content)

    def fails(self, test):
        """Whether a pytest test fails or crashes."""
        code, output = self.copy.pytest(test)
        if "run `make build`" in output:
            raise NotBuilt(f"the table lists too few modules to build:\n{output}")
        return code == 1 or code < 0

    def products(self):
        """Return the products of the build of Python modules, to be restored later."""
        files = [*self.copy.files(), *(self.copy.root / "build").glob("record-*.json")]
        files += (self.copy.root / "build/store").glob("*.a")
        return {file: file.read_bytes() for file in files}


def main(names):
    """Check the mutants with these names, or all of them; return the exit code."""
    mutants = table.read()
    if unknown := set(names) - {mutant.name for mutant in mutants}:
        return f"no mutant is called {', '.join(sorted(unknown))}: see {table.FILE}"
    chosen = [mutant for mutant in mutants if not names or mutant.name in names]
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # a file restored within a second has an equal time
    os.environ["OMP_WAIT_POLICY"] = "passive"  # as under CTest: spinning threads slow each other
    start, caught, missed, untested = time.monotonic(), 0, [], 0
    with alone(str(FOLDER / "lock"), "another check of mutants is running: waiting for it"):
        check = Check(chosen)
        tested = [mutant for mutant in chosen if not check.obstacle(mutant)]
        if why := check.failure_without_defect(tested):
            return f"tests that must pass without a defect do not:\n{why}"
        for mutant in chosen:
            begin = time.monotonic()
            if why := check.obstacle(mutant):
                untested += 1
                print(f"not tested {mutant.name}: {why}", flush=True)
                continue
            try:
                unseen = check.missed_by(mutant)
            except (NotBuilt, Hanging) as error:
                return f"{mutant.name} shows nothing:\n{error}"
            took = f"{time.monotonic() - begin:.0f} s"
            if unseen:
                missed.append(mutant.name)
                print(f"NOT CAUGHT {mutant.name} ({took}): {', '.join(unseen)}", flush=True)
            else:
                caught += 1
                print(f"caught     {mutant.name} ({took}): {', '.join(mutant.tests)}", flush=True)
    print(f"{caught} of {len(chosen)} planted defects caught, {untested} not tested here")
    if not names and not missed:
        promises.record(
            "mutants",
            promise="The tests detect every planted defect.",
            how="make mutants",
            tests=["tests/mutants/mutants.toml"],
            figures={
                "defects planted": len(tested),
                "caught": caught,
                "seconds": round(time.monotonic() - start),
            },
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
