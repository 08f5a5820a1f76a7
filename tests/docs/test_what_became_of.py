"""The page "what became of": today's names are there, and its programs run."""

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
TODAY = [(then, today) for then, today, _ in documents.rows(TEXT)]
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
SUM = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]  # of 0 to 5, and ones
# Kernels of CUDA run without a GPU in Numba's simulator, which is asked for before the import.
SIMULATED = """
import json, sys
names = {}
exec(sys.stdin.read(), names)
print(json.dumps([list(map(float, one)) for one in names["results"]]))
"""


@folded("name", NAMES)
def test_todays_names_are_there(name):
    package = name.partition(".")[0]
    if package == "cuda":  # cuda.compute has no names without a GPU
        documents.need("cuda.compute")
    if not documents.installed(package):
        pytest.skip(f"the package {package} is not installed")
    assert pkgutil.resolve_name(name) is not None


def test_a_name_that_is_not_there_is_found():
    with pytest.raises(AttributeError):
        pkgutil.resolve_name("numba.autojit")


def test_every_call_of_then_has_one_of_today_or_a_word_why_not():
    assert len(TODAY) > 45
    assert [then for then, today in TODAY if not ("`" in today or "none; " in today)] == []


@pytest.mark.slow
@pytest.mark.parametrize(("library", "code"), PROGRAMS)
def test_todays_programs_run(library, code):
    documents.need(library)
    if library == "numba-cuda":
        results = simulated(code)
    else:
        given = {"the_device": documents.sycl_device()} if library in ("dpctl", "dpnp") else {}
        results = documents.run(code, given, library)["results"]
    assert results
    for found in results:
        np.testing.assert_array_equal(found, SUM)


def simulated(code):
    """Run a program with a kernel of CUDA in the simulator; return its results."""
    done = ran(
        [sys.executable, "-c", SIMULATED],
        input=code,
        environment={"NUMBA_ENABLE_CUDASIM": "1"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
