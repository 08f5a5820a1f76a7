"""The page "what became of": today's names exist, and its programs run."""

import json
import pkgutil
import re
import sys

import documents
import numpy as np
import pytest
from cases import folded
from commands import ran

TEXT = documents.read("what_became_of.md")
TODAY = [(former, today) for former, today, _ in documents.rows(TEXT)]
NAMES = sorted(
    {
        name
        for _, today in TODAY
        for name in re.findall(r"`((?:numba|cupyx?|cuda|dpctl|dpnp)(?:\.\w+)+)`", today)
    }
)
PROGRAMS = [
    pytest.param(library, code, id=f"{library}-{number}")
    for number, (library, code) in enumerate(documents.programs(TEXT))
]
SUM = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]  # 0 to 5, each plus one
# CUDA kernels run without a GPU in Numba's simulator, which is enabled before the import.
SIMULATION = """
import json, sys
names = {}
exec(sys.stdin.read(), names)
print(json.dumps([list(map(float, row)) for row in names["results"]]))
"""


@folded("name", NAMES)
def test_todays_names_exist(name):
    package = name.partition(".")[0]
    if package == "cuda":  # cuda.compute has no names without a GPU
        documents.need("cuda.compute")
    if not documents.installed(package):
        pytest.skip(f"the package {package} is not installed")
    assert pkgutil.resolve_name(name) is not None


@pytest.mark.slow
@pytest.mark.parametrize(("library", "code"), PROGRAMS)
def test_todays_programs_run(library, code):
    documents.need(library)
    if library == "numba-cuda":
        results = simulate(code)
    else:
        variables = {"the_device": documents.sycl_device()} if library in ("dpctl", "dpnp") else {}
        results = documents.run(code, variables, library)["results"]
    assert results
    for result in results:
        np.testing.assert_array_equal(result, SUM)


def simulate(code):
    """Run a program with a CUDA kernel in the simulator; return its results."""
    completed = ran(
        [sys.executable, "-c", SIMULATION],
        input=code,
        environment={"NUMBA_ENABLE_CUDASIM": "1"},
        timeout=120,
    )
    assert completed.returncode == 0, completed.stderr
    return json.loads(completed.stdout)
