"""Plant each defect of mutants.toml in a copy of the checkout: a test that it names must fail.

`make mutants` runs all, `make mutants ONLY="nan-parity watertight-swap"` some. The copy and what is
built in it stay in build/mutants for the next run. The exit code is 1 if a defect was not caught.
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

from polymask.building.alone import alone

FOLDER = ROOT / "build/mutants"
LONGEST = 900  # seconds for a test


class NotBuilt(Exception):
    """A mutant that does not compile shows nothing."""


class Hanging(Exception):
    """A test that does not end says nothing: who waits for it learns no more than that."""


class Copy(KeptCheckout):
    """The copy of the checkout, with an environment of its own."""

    def set_up(self):
        """Make its environment, and begin from what is built in the checkout."""
        super().set_up()
        self.take_products()

    def compile(self, *modules):
        """Build these extension modules, or all."""
        for only in [[f"--only={name}"] for name in modules] or [[]]:
            command = [self.python, "setup.py", "-q", "build_ext", "--inplace", *only]
            code, said = self.call(command)
            if code:
                raise NotBuilt(said)

    def pytest(self, *tests, junit=None):
        """Run tests until one fails; return the exit code and the end of what pytest said."""
        command = [self.python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        command += [f"--junitxml={junit}"] if junit else []
        return self.run_for(command)

    def run_for(self, command):
        """Run a command as long as a test may take; return its exit code, and what it said."""
        process = self.start(command)
        try:
            said, _ = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Hanging(f"{command[-1]} did not end within {LONGEST} s") from None
        return process.returncode, said


class Engine:
    """The engine's own tests, built by CMake in a folder of their own."""

    def __init__(self, copy):
        self.folder = FOLDER / "engine"
        configure = ["cmake", "-S", copy.root / "csrc/engine", "-B", self.folder]
        configure += ["--log-level=NOTICE", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1"]
        copy.check(configure)
        self.copy = copy

    @staticmethod
    def missing():
        """Say what it needs and is not there, if anything."""
        if not shutil.which("cmake"):
            return "needs cmake"
        there = (Path("/usr/include/gtest"), Path("/usr/src/googletest"))
        return "" if any(map(Path.exists, there)) else "needs GoogleTest (libgtest-dev)"

    def compile(self):
        """Compile what has changed."""
        code, said = self.copy.call(["cmake", "--build", self.folder, "-j", str(os.cpu_count())])
        if code:
            raise NotBuilt(said)

    def run(self, test):
        """Run a test of any instance to its first failure; return exit code, and what it said."""
        program = self.folder / "tests/polymask_tests"
        options = [f"--gtest_filter=*{test}*", "--gtest_brief=1", "--gtest_break_on_failure"]
        return self.copy.run_for([program, *options])


class Check:
    """The check of some mutants: what it needs is built once."""

    def __init__(self, mutants):
        self.copy = Copy(FOLDER / "polymask")
        self.copy.compile()
        code = "from polymask.masks import _engine; print(*_engine.instruction_sets())"
        self.sets = self.copy.run(code).split()
        self.engine = None
        if any(mutant.of_engine and not self.elsewhere(mutant) for mutant in mutants):
            self.engine = Engine(self.copy)
            self.engine.compile()

    def elsewhere(self, mutant):
        """Return why a mutant cannot be tried on this machine; "" if it can."""
        if mutant.needs and mutant.needs not in self.sets:
            return f"needs a processor with {mutant.needs}"
        return Engine.missing() if mutant.of_engine else ""

    def unharmed(self, mutants):
        """Return why the tests say nothing as the code stands; "" if all pass."""
        tests = sorted({test for mutant in mutants for test in mutant.of_pytest})
        junit = FOLDER / "unharmed.xml"
        code, said = self.copy.pytest(*tests, junit=junit) if tests else (0, "")
        if code:
            return said
        if tests:
            suite = ElementTree.parse(junit).getroot().find("testsuite")
            if suite.get("skipped") != "0":
                return f"some of the tests named are skipped here:\n{said}"
        for test in sorted({test for mutant in mutants for test in mutant.of_engine}):
            code, said = self.engine.run(test)
            if code or "[  PASSED  ] 0 tests" in said or "PASSED" not in said:
                return f"{test}:\n{said}"
        return ""

    def missed_by(self, mutant):
        """Plant a mutant; return the tests that do not see it, and take it out again."""
        file = self.copy.root / mutant.file
        text = file.read_text(encoding="utf-8")
        kept = self.products()
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
            for product, content in kept.items():
                product.write_bytes(content)

    def fails(self, test):
        """Whether one of pytest's tests fails, or ends the process."""
        code, said = self.copy.pytest(test)
        if "run `make build`" in said:
            raise NotBuilt(f"the table names too little to build:\n{said}")
        return code == 1 or code < 0

    def products(self):
        """Return what the build of Python's modules made, to be put back."""
        files = [*self.copy.files(), *(self.copy.root / "build").glob("record-*.json")]
        files += (self.copy.root / "build/store").glob("*.a")
        return {file: file.read_bytes() for file in files}


def main(names):
    """Check the mutants of these names, or all; return the exit code."""
    found = table.read()
    if unknown := set(names) - {mutant.name for mutant in found}:
        return f"no mutant is called {', '.join(sorted(unknown))}: see {table.FILE}"
    wanted = [mutant for mutant in found if not names or mutant.name in names]
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # what was mended within a second has an equal time
    os.environ["OMP_WAIT_POLICY"] = "passive"  # as CTest has it: threads that spin slow each other
    started, caught, missed, elsewhere = time.monotonic(), 0, [], 0
    with alone(str(FOLDER / "lock"), "another check of mutants is running: waiting for it"):
        check = Check(wanted)
        tried = [mutant for mutant in wanted if not check.elsewhere(mutant)]
        if why := check.unharmed(tried):
            return f"tests that must pass without a defect do not:\n{why}"
        for mutant in wanted:
            began = time.monotonic()
            if why := check.elsewhere(mutant):
                elsewhere += 1
                print(f"not tried  {mutant.name}: {why}", flush=True)
                continue
            try:
                unseen = check.missed_by(mutant)
            except (NotBuilt, Hanging) as error:
                return f"{mutant.name} shows nothing:\n{error}"
            took = f"{time.monotonic() - began:.0f} s"
            if unseen:
                missed.append(mutant.name)
                print(f"NOT CAUGHT {mutant.name} ({took}): {', '.join(unseen)}", flush=True)
            else:
                caught += 1
                print(f"caught     {mutant.name} ({took}): {', '.join(mutant.tests)}", flush=True)
    print(f"{caught} of {len(wanted)} planted defects caught, {elsewhere} not tried here")
    if not names and not missed:
        promises.record(
            "mutants",
            promise="The tests detect every planted defect.",
            how="make mutants",
            tests=["tests/mutants/mutants.toml"],
            figures={
                "defects planted": len(tried),
                "caught": caught,
                "seconds": round(time.monotonic() - started),
            },
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
