"""What a developer is told: which tests an edit needs, and which of them take too long."""

import check
import durations
import pytest


@pytest.mark.slow  # every file of tests is read
@pytest.mark.parametrize(
    ("edited", "nearest"),
    [
        ("polymask/masks/mask_stack.py", "tests/library/test_stacks.py"),
        ("polymask/cli/outline.py", "tests/cli/test_outline_command.py"),
        ("csrc/engine/src/many/coco.cpp", "tests/library/test_coco.py"),
        ("tests/cost/test_amdahl.py", "tests/cost/test_amdahl.py"),
    ],
)
def test_an_edit_needs_the_tests_that_depend_on_it_the_nearest_first(edited, nearest, root):
    found = check.near({root / edited})
    assert found[0] == root / nearest
    assert len(found) == len(set(found))


@pytest.mark.slow
def test_a_rung_needs_the_tests_of_all_rungs(root):
    assert root / "tests/contract/test_masks.py" in check.near({root / "0_python/tuples.py"})


def run(**tests):
    """Return a run whose tests took so many seconds of a processor, and by the clock."""
    of = {
        name: {"processor": processor, "call": processor, "clock": clock, "fixtures": 0.0}
        for name, (processor, clock) in tests.items()
    }
    return {"clock": 9.0, "collecting": 1.0, "tests": of}


def test_a_test_that_takes_too_long_misses_a_bar():
    lines = durations.missed(run(quick=(0.9, 2.9), busy=(1.1, 1.1), waiting=(0.1, 3.1)))
    assert [line.split(":")[0] for line in lines] == ["busy", "waiting"]
    assert len(durations.missed(run(**{f"t{i}": (0.9, 0.9) for i in range(400)}))) == 1


def test_the_tables_have_a_row_for_each_folder_and_each_slow_test(tmp_path, monkeypatch):
    monkeypatch.setattr(durations, "FILE", tmp_path / "durations.json")
    monkeypatch.setattr(durations, "STAGES", tmp_path / "stages.txt")
    durations.STAGES.write_text("60 set-up\n30 quick tests\n")
    durations.keep("quick", run(**{"tests/a/test_b.py::c": (0.5, 0.6), "tests/a/d.py::e": (1, 2)}))
    durations.keep("slow", run(**{"tests/f/test_g.py::h[|]": (5.0, 7.0)}))
    text = durations.text(2)
    assert "| all | 90.0 |" in text
    assert "| tests/a | 2 | 1.5 | 0.0 |" in text
    rows = [line for line in text.splitlines() if "::" in line]
    assert [row.split(" | ")[1] for row in rows] == ["slow", "quick"]
