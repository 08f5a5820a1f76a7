"""The table of planted defects matches the code: `make mutants` plants them, in some minutes."""

import re

from checkouts import ROOT
from mutants import table

MUTANTS = table.read()


def test_a_defect_can_be_planted_in_one_place():
    for mutant in MUTANTS:
        text = (ROOT / mutant.file).read_text(encoding="utf-8")
        assert text.count(mutant.before) == 1, mutant.name
        assert mutant.after not in (mutant.before, "")
        assert mutant.why.endswith(".")


def test_the_tests_that_it_names_are_there():
    engine = [file.read_text(encoding="utf-8") for file in ROOT.glob("csrc/engine/tests/*.cpp")]
    for mutant in MUTANTS:
        assert mutant.tests
        for test in mutant.of_pytest:
            file, name = test.split("::")
            function = re.escape(name.partition("[")[0])
            text = (ROOT / file).read_text(encoding="utf-8")
            assert re.search(rf"^def {function}\(", text, re.M), mutant.name
        for test in mutant.of_engine:
            suite, _, name = test.partition(".")
            match = re.search(rf"^(TYPED_)?TEST(_P)?\({suite}, {name}", "".join(engine), re.M)
            assert match, mutant.name


def test_the_modules_that_it_builds_are_made_of_its_file():
    """Compiled code must be rebuilt for pytest tests, or they would test the old code."""
    for mutant in MUTANTS:
        compiled = not mutant.file.endswith((".py", ".md", ".cl"))
        assert bool(mutant.build) == (compiled and bool(mutant.of_pytest)), mutant.name
