"""The page of parallel primitives: each program runs, and each name of its table stands in one."""

import ast
import importlib.util
import pkgutil
import re
from pathlib import Path

import documents
import numpy as np
import pytest
from cases import folded
from checkouts import ROOT

TEXT = documents.read("parallel_primitives.md")
SECTIONS = documents.sections(TEXT)
GIVEN = dict(documents.programs(SECTIONS["Input"]))
PROGRAMS = {
    (name, library): code
    for name, text in SECTIONS.items()
    if name != "Input"
    for library, code in documents.programs(text)
}
COLUMNS = ("NumPy", "Numba", "CuPy", "cuda.compute", "PyOpenCL", "dpnp")
# Worked out by hand, of the numbers that the page gives.
RIGHT = {
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


def result(library, code, what):
    """Run a program after what its library is given; return `r` as an array of NumPy's."""
    names = documents.run(GIVEN["NumPy"], {}, "NumPy, given")
    if library != "NumPy":
        names = documents.run(GIVEN[library], names, f"{library}, given")
    r = documents.run(code, names, what)["r"]
    if library == "dpnp":
        import dpnp

        r = dpnp.asnumpy(r)
    elif library in ("CuPy", "cuda.compute", "PyOpenCL"):
        r = r.get()
    return np.ravel(r)


@pytest.fixture(autouse=True)
def _ready(request, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    if "library" in request.fixturenames:
        library = request.getfixturevalue("library")
        documents.need(library)
        if library == "dpnp":
            documents.sycl_device()


@pytest.mark.proof("docs/parallel_primitives.md")
@pytest.mark.parametrize(("name", "library"), [one for one in PROGRAMS if one[0] != "random"])
def test_a_program_computes_what_its_section_says(name, library):
    found = result(library, PROGRAMS[name, library], f"{library}, {name}")
    if name == "k-select":  # in no order
        found = np.sort(found)
    np.testing.assert_allclose(found, RIGHT[name], rtol=1e-14)


@pytest.mark.parametrize("library", [library for name, library in PROGRAMS if name == "random"])
def test_random_numbers_are_between_0_and_1_and_the_same_for_the_same_seed(library):
    code = PROGRAMS["random", library]
    found = result(library, code, f"{library}, random")
    assert found.shape == (8,)
    assert len(set(found)) == 8
    assert ((found >= 0) & (found < 1)).all()
    np.testing.assert_array_equal(result(library, code, f"{library}, random"), found)


def test_each_section_has_a_program_for_each_library():
    names = [anchor(row[0]) for row in documents.rows(TEXT)]
    assert names == [*RIGHT][:11] + ["random", "fusion"]
    without = {("random", "cuda.compute")}
    assert PROGRAMS.keys() == {(n, library) for n in names for library in COLUMNS} - without


def anchor(cell):
    """Return the section that a cell's link leads to."""
    return re.fullmatch(r"\[(.*)\]\(#(.*)\)", cell)[2]


@folded("row", documents.rows(TEXT))
def test_what_the_table_names_stands_in_the_program(row):
    section = anchor(row[0])
    for library, cell in zip(COLUMNS, row[1:], strict=True):
        if cell == "none":
            assert (section, library) not in PROGRAMS
        elif not cell.startswith("four passes"):
            assert re.fullmatch("`(.*)`", cell)[1] in PROGRAMS[section, library], (row[0], library)


def attributes(code, module):
    """Return the dotted names of a program that begin with a module's, without it."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        name = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
        if re.fullmatch(rf"{module}(\.\w+)+", name):
            found.add(name.partition(".")[2])
    return found


def test_names_of_cupy_are_there():
    """Without a GPU, too, where the programs themselves cannot run."""
    if not documents.installed("cupy"):
        pytest.skip("the package cupy is not installed")
    codes = [code for (_, library), code in PROGRAMS.items() if library == "CuPy"]
    names = set().union(*(attributes(code, "cp") for code in codes))
    assert {"cumsum", "random.default_rng", "ElementwiseKernel"} <= names
    for name in names:
        assert pkgutil.resolve_name(f"cupy.{name}") is not None


def functions(package):
    """Return name to parameters of the functions of a package, read without importing it."""
    folder = Path(importlib.util.find_spec(package).submodule_search_locations[0])
    parsed = (ast.parse(file.read_text(encoding="utf-8")) for file in folder.rglob("*.py"))
    defined = (one for tree in parsed for one in tree.body if isinstance(one, ast.FunctionDef))
    return {one.name: {a.arg for a in one.args.args + one.args.kwonlyargs} for one in defined}


def test_functions_of_cuda_compute_have_the_parameters_that_are_named():
    """Without a GPU, too; they take all by name."""
    if not documents.installed("cuda.compute"):
        pytest.skip("the package cuda-cccl is not installed")
    there = functions("cuda.compute")
    codes = [code for (_, library), code in PROGRAMS.items() if library == "cuda.compute"]
    calls = [
        node
        for code in codes
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("cuda.compute.")
    ]
    assert len(calls) >= len(codes)
    for call in calls:
        assert not call.args, ast.unparse(call)
        assert {one.arg for one in call.keywords} <= there[call.func.attr], ast.unparse(call)
