"""If all properties hold, record the number of polygons drawn as a promise."""

import os
from pathlib import Path

import promises
import pytest
import strategies

HERE = Path(__file__).parent
passed = set()  # tests that ran and were not skipped


def pytest_runtest_logreport(report):
    """Note each test that passes, in other folders, too: pytest calls this hook for all."""
    if report.when == "call" and report.passed:
        passed.add(report.nodeid)


@pytest.fixture(scope="session", autouse=True)
def _record(request):
    yield
    names = ("POLYMASK_EXAMPLES", "POLYMASK_SEED")
    settings = [f"{name}={os.environ[name]}" for name in names if name in os.environ]
    if request.session.testsfailed == 0:
        promises.record(
            "properties",
            promise="The masks from all rungs and functions have the required properties.",
            how=" ".join([*settings, "python -m pytest", *request.config.invocation_params.args]),
            tests=sorted(f"tests/properties/{file.name}" for file in HERE.glob("test_*.py")),
            figures={
                "tests": sum(
                    item.nodeid in passed and HERE in item.path.parents
                    for item in request.session.items
                ),
                "random polygons": strategies.counts["rings"],
                "counterexamples": 0,
            },
        )
