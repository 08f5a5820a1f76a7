"""The table of planted defects, mutants.toml."""

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
    """A defect: in `file`, the text `before` becomes `after`; each of `tests` must then fail.

    A test with `::` in its name is a pytest test, any other one is a GoogleTest of the engine.
    `build` names the extension modules to rebuild for the pytest tests, as in setup.py. `needs` is
    an instruction set without which the defect has no effect.
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
        """The names of its engine tests."""
        return [test for test in self.tests if "::" not in test]

    @property
    def of_pytest(self):
        """The names of its pytest tests."""
        return [test for test in self.tests if "::" in test]


def read():
    """Return the mutants, in the order of the table."""
    entries = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return [Mutant(name, **entry) for name, entry in entries.items()]
