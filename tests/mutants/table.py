"""The table of planted defects, mutants.toml, as it is read."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).with_name("mutants.toml")


@dataclass(frozen=True)
class Mutant:
    """A defect: in `file`, the text `before` becomes `after`; each test of `tests` must fail then.

    A test with `::` in its name is pytest's, any other one of the engine's own, a GoogleTest.
    `build` names the extension modules that the pytest tests need built again, as setup.py does.
    `needs` is an instruction set without which the defect does nothing.
    """

    name: str
    why: str
    file: str
    before: str
    after: str
    tests: list
    build: list = field(default_factory=list)
    needs: str = ""

    @property
    def of_engine(self):
        """Those of its tests that are the engine's own."""
        return [test for test in self.tests if "::" not in test]

    @property
    def of_pytest(self):
        """The others."""
        return [test for test in self.tests if "::" in test]


def read():
    """Return the mutants, in the order of the table."""
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [Mutant(name, **entry) for name, entry in entries.items()]
