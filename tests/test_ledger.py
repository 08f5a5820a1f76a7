"""The ledger of proofs is up to date, and errors in it are noticed."""

import ast
from dataclasses import replace

import dependencies
import ledger
import pytest

from ladder.workshop import exercises
from ladder.workshop.author import verify


class Item:
    """A stand-in for a pytest item, with the attributes that the ledger uses."""

    def __init__(self, root, *patterns):
        self.path, self.nodeid = root / "tests/workshop/test_verified.py", "tests/a/test_b.py::test"
        self.patterns = patterns

    def iter_markers(self, name):
        return [getattr(pytest.mark, name)(*self.patterns).mark]


@pytest.fixture
def item(root):
    folder = exercises.get("type").folder.relative_to(root)
    return Item(root, f"{folder}/*", "1_cython/typed.pyx", "ladder/workshop/sandbox/*.py")


@pytest.mark.parametrize(
    "changed",
    [
        "1_cython/exercises/type/check.py",
        "1_cython/typed.pyx",  # the solution
        "csrc/inside_polygon.pxd",  # which it imports
        "csrc/inside_polygon.h",  # which that includes
        "ladder/workshop/sandbox/child_main.py",  # the judge
        "ladder/workshop/author/verify.py",  # what the test calls
        "ladder/common/confidence.py",  # which the judge imports
        "tests/workshop/test_verified.py",
    ],
)
def test_a_changed_byte_changes_the_key_of_what_depends_on_it(changed, item, root, monkeypatch):
    before = ledger.contents(item)
    digest = ledger.digest
    assert (root / changed).is_file()
    monkeypatch.setattr(
        ledger, "digest", lambda file: "other" if file == root / changed else digest(file)
    )
    assert ledger.contents(item) != before


def test_what_only_type_checkers_import_is_no_dependency(item, root):
    """The package loads its functions on first use, so exercises do not depend on all of them."""
    files = dependencies.distances(item.path, root / "polymask/__init__.py")
    assert root / "ladder/common/staleness.py" in files
    assert root / "polymask/masks/rasterize_like.py" not in files


@pytest.mark.parametrize(
    "code",
    [
        "from polymask import rasterize_like",
        "import polymask; [getattr(polymask, name) for name in polymask.__all__]",
        "ran('import polymask; polymask.rasterize_like()')",
    ],
)
def test_functions_loaded_on_first_use_are_dependencies(code, root):
    files = dependencies.of_python(list(ast.walk(ast.parse(code))))
    assert root / "polymask/masks/rasterize_like.py" in files


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty ledger."""
    monkeypatch.setattr(ledger, "FOLDER", tmp_path)
    ledger.page.cache_clear()
    yield tmp_path
    ledger.page.cache_clear()


def test_a_proof_is_fresh_until_it_fails_or_its_contents_or_the_tools_change(
    item, folder, monkeypatch
):
    assert ledger.state(item) == ledger.STALE
    ledger.write({item.nodeid: ledger.entry(item, 1.0)})
    assert ledger.state(item) == ledger.FRESH
    with monkeypatch.context() as patch:
        patch.setattr(ledger, "tools", lambda: {"python": "4.0"})
        assert ledger.state(item) == ledger.OTHER_TOOLS
    with monkeypatch.context() as patch:
        patch.setattr(ledger, "digest", lambda file: "other")
        assert ledger.state(item) == ledger.STALE
    ledger.write({item.nodeid: None})
    assert ledger.state(item) == ledger.STALE


def test_a_skipped_proof_does_not_take_the_place_of_one_that_was_made(item, folder):
    ledger.write({item.nodeid: ledger.entry(item, 1.0)})
    ledger.write({item.nodeid: ledger.entry(item, outcome="skipped: no compiler")})
    (entry,) = ledger.page(ledger.place(item.nodeid)[0]).values()
    assert entry["outcome"] == "passed"


def test_fresh_proofs_are_drawn_and_stale_ones_made(item, folder, root):
    items = [Item(root) for _ in range(20)]
    for number, proof in enumerate(items):
        proof.nodeid += f"[{number}]"
    ledger.write({proof.nodeid: ledger.entry(proof, 1.0) for proof in items[:-1]})
    choices = [ledger.chosen(items, seed) for seed in range(20)]
    assert all(len(choice) == ledger.DRAWN + 1 and items[-1] in choice for choice in choices)
    assert len({proof.nodeid for choice in choices for proof in choice}) > 10


@pytest.fixture
def states(proofs):
    return {item.nodeid: ledger.state(item) for item in proofs}


def test_what_is_proved_has_not_changed_since(states):
    stale = [name for name, state in states.items() if state == ledger.STALE]
    assert not stale, f"{len(stale)} proofs are stale, run `make proofs`: {stale}"
    if ledger.OTHER_TOOLS in states.values():
        pytest.skip(f"proved with tools other than {ledger.tools()}: run `make proofs` here")


@pytest.mark.slow
def test_a_wrong_answer_that_passes_is_noticed():
    exercise = exercises.get("profile")
    (honest,) = exercise.honest.values()
    planted = replace(honest, name="planted", says="")
    faults = verify.verify(replace(exercise, wrong=exercise.wrong | {"planted": planted}))
    assert faults == ["the wrong answer planted passes"]
