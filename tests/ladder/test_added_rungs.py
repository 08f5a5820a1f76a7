"""Three rungs are added to a copy of the checkout, as CONTRIBUTING describes, and everything works.

They are a compiled rung with a minimal entry, a Python rung, and a rung for a device in a new
folder.
"""

import json
import re
import shutil

import pytest
from cases import says
from checkouts import Checkout

from ladder import registry

pytestmark = pytest.mark.slow

COMPILED, PYTHON, DEVICE = KEYS = ("cclass.strips", "python.lists", "added.items")
SHAPE = ("--shape", "20x30")

HEAD = "*More: 1 minute to read. Part of [the lesson](README.md).*\n\n"
FILES = {
    "3_cclass/strips.pyx": '''# cython: boundscheck=False, wraparound=False
"""A rung that was added."""

import numpy as np

from inside_polygon cimport inside_polygon
from polymask import contract


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    mask = np.empty((rows, cols), dtype=np.uint8)
    cdef const double[:, ::1] v = vertices
    cdef unsigned char[:, ::1] m = mask
    cdef bint border = border_value
    cdef Py_ssize_t x, y
    with nogil:
        for y in range(m.shape[0]):
            for x in range(m.shape[1]):
                m[y, x] = inside_polygon(x, y, &v[0, 0], v.shape[0], border)
    return mask
''',
    "0_python/lists.py": '''"""A rung that was added."""

import numpy as np

from polymask import contract
from ladder.python.tuples import inside_polygon


def make_mask(vertices, shape, border_value=True):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`."""
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    points = vertices.tolist()
    mask = np.empty((rows, cols), np.uint8)
    for y in range(rows):
        mask[y] = [inside_polygon(x, y, points, border_value) for x in range(cols)]
    return mask
''',
    "3_cclass/strips.pyi": "def make_mask(vertices, shape, border_value=True): ...\n",
    "6_added/__init__.py": "",
    "6_added/README.md": "# 6 Added: a lesson\n",
    "6_added/items.md": f"# added.items: a rung\n\n{HEAD}",
    "0_python/lists.md": f"# python.lists: a rung\n\n{HEAD}**What changed: the library.**\n",
    "3_cclass/strips.md": f"# cclass.strips: a rung\n\n{HEAD}",
}
ENTRIES = {
    COMPILED: 'Rung("cclass.strips", "3_cclass/strips.pyx", "Added", compiled="Cython")',
    PYTHON: """Rung(
        "python.lists", "0_python/lists.py", "Added",
        before="python.tuples", changes="library",
        work=work.INTERPRETED,
    )""",
    DEVICE: """Rung(
        "added.items", "6_added/items.py", "Added", device="opencl", extra="opencl",
        packages=("pyopencl",),
        work=Work(launch=work.LAUNCH), first_call="builds the kernel",
    )""",
}


def insert(file, before, text):
    """Insert lines before the line that begins with this text."""
    whole = file.read_text(encoding="utf-8")
    assert whole.count(before) == 1, before
    file.write_text(whole.replace(before, text + before), encoding="utf-8")


def add(root):
    """Add the rungs in the places named in CONTRIBUTING, and in no others."""
    (root / "6_added").mkdir()
    host = (root / "5_opencl/pixels.py").read_text(encoding="utf-8")
    for name, text in FILES.items() | {("6_added/items.py", host)}:
        (root / name).write_text(text, encoding="utf-8")
    for entry in ENTRIES.values():
        folder = entry.split('"')[3].partition("/")[0]
        after = next(rung for rung in registry.RUNGS if rung.folder > folder)
        entries = root / "ladder/registry" / ("beyond.py" if folder >= "6" else "course.py")
        text = entries.read_text(encoding="utf-8")
        place = re.search(rf' {{4}}\w+\(\n {{8}}"{after.key}",', text)[0]
        insert(entries, place, f"    {entry},\n")
    setup = root / "setup.py"
    line = '    extension("ladder.cclass.strips", "3_cclass/strips.pyx"),\n'
    insert(setup, '    extension("ladder.openmp.prange"', line)
    insert(setup, '    "ladder.scanline"', '    "ladder.added": "6_added",\n')
    insert(
        root / "README.md", "| [6 Numba]", "| [6 Added](6_added/README.md) | What? | 2 | 0 | 0 |\n"
    )


@pytest.fixture(scope="module")
def checkout(root, tmp_path_factory):
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    copy = Checkout(root, tmp_path_factory.mktemp("added") / "polymask")
    add(copy.root)
    for command in (["git", "init", "-q"], ["git", "add", "-A"]):  # a clone: pages come from git
        copy.check(command)
    code, output = copy.build()
    assert code == 0, output
    return copy


@pytest.fixture(scope="module")
def usable(checkout):
    """The added rungs that can run here; the others name a missing device or package."""
    masks = checkout.masks()
    assert masks[COMPILED] == masks[PYTHON] == "good"
    assert masks[DEVICE] == "good" or "OpenCL" in masks[DEVICE] or "opencl" in masks[DEVICE]
    return [key for key in KEYS if masks[key] == "good"]


@pytest.fixture(scope="module")
def polymask(checkout, usable):
    """Run a command in the copy; it must not print a traceback."""

    def run(*arguments, code=0):
        command = [checkout.python, "-m", "polymask", *map(str, arguments)]
        exit_code, output = checkout.call(command)
        assert "Traceback" not in output, output
        assert exit_code == code, output
        return output

    return run


@pytest.fixture(scope="module")
def folder(polymask, checkout):
    """The folder with a result of the three rungs."""
    rungs = ",".join([registry.BASE, *KEYS])
    polymask("bench", "--rungs", rungs, *SHAPE, "--seconds", 0, "--out", "build/result", "--force")
    return checkout.root / "build/result"


def test_the_driver_measures_them(folder, usable):
    rows = {row["key"]: row for row in json.loads((folder / "bench.json").read_text())["rows"]}
    assert {key for key, row in rows.items() if row["status"] == "ok"} == {registry.BASE, *usable}
    assert rows[PYTHON]["speedup_before"]
    assert rows[COMPILED]["speedup_before"] is None
    if DEVICE in usable:
        assert rows[DEVICE]["kernel_s"] > 0


def test_reports_show_them(folder, polymask, checkout):
    file = folder / "bench.json"
    for report in (polymask("report", file), (folder / "bench.md").read_text(encoding="utf-8")):
        assert all(key in report for key in KEYS)
    polymask("report", file, file, "--html", "page.html", "--out", "build/again")
    page = (checkout.root / "page.html").read_text(encoding="utf-8")
    assert all(page.count(key) > 1 for key in KEYS)


def test_they_are_listed_and_shown(polymask, usable, checkout):
    rungs, doctor = polymask("list"), polymask("doctor")
    assert all(key in rungs for key in KEYS)
    assert {key for key in KEYS if f"{key}: " in doctor} == set(KEYS) - set(usable)
    for key in KEYS:
        assert "def make_mask" in polymask("show", key)
    assert "0_python/lists.py" in polymask("show", PYTHON, "--diff")
    assert says(polymask("show", COMPILED, "--diff", code=2), "rung", "before")


def test_limits_are_explained_or_the_reason_for_none(polymask, usable):
    assert "Bound by" in polymask("explain", PYTHON, *SHAPE)
    assert says(polymask("explain", COMPILED, *SHAPE, code=1), "work", "counted")
    if DEVICE in usable:
        assert says(polymask("explain", DEVICE, *SHAPE), "builds", "kernel")


def test_they_are_profiled_and_run(polymask, usable):
    for key in usable:
        assert f"{key}: first call" in polymask("run", key, *SHAPE)
    assert "inside_polygon" in polymask("profile", PYTHON, *SHAPE)
    if DEVICE in usable:
        assert "copy to host" in polymask("profile", DEVICE, *SHAPE)


def test_the_suites_of_the_contract_and_of_the_registry_pass(checkout, usable):
    files = ["contract", "ladder/test_registry.py", "ladder/test_rung_imports.py"]
    files += ["library/test_types.py"]
    chosen = "lists or strips or items or setup or folder or single_rung or keys_are or has_a_stub"
    command = [checkout.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen]
    output = checkout.check([*command, *(checkout.root / "tests" / file for file in files)])
    assert " passed" in output
    assert "error" not in output.splitlines()[-1]


@pytest.mark.weekly
def test_all_quick_tests_pass(checkout, usable):
    command = [checkout.python, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    output = checkout.check([*command, "-m", "not slow and not weekly", checkout.root / "tests"])
    assert " passed" in output
