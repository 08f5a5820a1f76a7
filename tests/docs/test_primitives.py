"""The page of parallel primitives: its programs run and use the names in its table."""

import re

import documents
import numpy as np
import pytest
from cases import folded
from checkouts import ROOT

TEXT = documents.read("parallel_primitives.md")
SECTIONS = documents.sections(TEXT)
INPUT = dict(documents.programs(SECTIONS["Input"]))
PROGRAMS = {
    (name, library): code
    for name, text in SECTIONS.items()
    if name != "Input"
    for library, code in documents.programs(text)
}
for name, _ in list(PROGRAMS):  # these libraries have NumPy's functions
    for library, prefix in {"CuPy": "cp.", "dpnp": "dpnp."}.items():
        same = PROGRAMS[name, "NumPy"].replace("np.", prefix)
        PROGRAMS.setdefault((name, library), same)
COLUMNS = ("NumPy", "Numba", "CuPy", "cuda.compute", "PyOpenCL", "dpnp")
# Worked out by hand from the page's input.
EXPECTED = {
    "map": np.array([3, 1, 4, 1, 5, 9, 2, 6]) ** 0.5,
    "zipwith": [6, 3, 10, 5, 14, 23, 10, 19],
    "reduce": [31],
    "scan": [3, 4, 8, 9, 14, 23, 25, 31],
    "scatter": [1, 4, 3, 5, 1, 2, 6, 9],
    "gather": [4, 3, 1, 5, 1, 6, 9, 2],
    "compact": [3, 4, 5, 9, 6],
    "allocate": [0, 0, 2, 2, 2, 3],
    "sort": [1, 1, 2, 3, 4, 5, 6, 9],
    "hashing": [1, 2, 3, 4, 5, 6, 9],
    "k-select": [5, 6, 9],
    "fusion": np.array([9, 2, 20, 10, 41, 106, 40, 85]) ** 0.5,
}


def result(library, code, label):
    """Run a program after its library's input; return `r` as a NumPy array."""
    names = documents.run(INPUT["NumPy"], {}, "NumPy, input")
    if library != "NumPy":
        names = documents.run(INPUT[library], names, f"{library}, input")
    r = documents.run(code, names, label)["r"]
    if library == "dpnp":
        import dpnp

        r = dpnp.asnumpy(r)
    elif library in ("CuPy", "cuda.compute", "PyOpenCL"):
        r = r.get()
    return np.ravel(r)


@pytest.fixture(autouse=True)
def _prepare(request, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    if "library" in request.fixturenames:
        library = request.getfixturevalue("library")
        documents.need(library)
        if library == "dpnp":
            documents.sycl_device()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "library"), [key for key in PROGRAMS if key[0] != "random"])
def test_a_program_computes_what_its_section_says(name, library):
    numbers = result(library, PROGRAMS[name, library], f"{library}, {name}")
    if name == "k-select":  # unordered
        numbers = np.sort(numbers)
    np.testing.assert_allclose(numbers, EXPECTED[name], rtol=1e-14)


@pytest.mark.parametrize("library", [library for name, library in PROGRAMS if name == "random"])
def test_random_numbers_are_between_0_and_1_and_the_same_for_the_same_seed(library):
    code = PROGRAMS["random", library]
    numbers = result(library, code, f"{library}, random")
    assert numbers.shape == (8,)
    assert len(set(numbers)) == 8
    assert ((numbers >= 0) & (numbers < 1)).all()
    np.testing.assert_array_equal(result(library, code, f"{library}, random"), numbers)


def test_each_section_has_a_program_for_each_library():
    names = [anchor(row[0]) for row in documents.rows(TEXT)]
    assert names == [*EXPECTED][:11] + ["random", "fusion"]
    without = {("random", "cuda.compute")}
    assert PROGRAMS.keys() == {(n, library) for n in names for library in COLUMNS} - without


def anchor(cell):
    """Return the section that a cell links to."""
    return re.fullmatch(r"\[(.*)\]\(#(.*)\)", cell)[2]


@folded("row", documents.rows(TEXT))
def test_names_in_the_table_are_used_in_the_program(row):
    section = anchor(row[0])
    for library, cell in zip(COLUMNS, row[1:], strict=True):
        if cell == "none":
            assert (section, library) not in PROGRAMS
        elif not cell.startswith("four passes"):
            assert re.fullmatch("`(.*)`", cell)[1] in PROGRAMS[section, library], (row[0], library)
