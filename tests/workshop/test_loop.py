"""The way from one exercise to the next: the task, the solution, the answers, and a course."""

import dataclasses
import errno
import os
import re
import termios

import pytest
from cases import folded

from ladder.cli import workshop_texts, workshop_watch
from ladder.common import busy
from ladder.workshop import exercises
from ladder.workshop.student import check as checking
from ladder.workshop.student import folder, progress
from polymask.contract import Unavailable

# The next exercise


def test_the_workshop_alone_shows_the_next_exercise(workshop):
    """Without a terminal; in a terminal, it watches the exercise."""
    code, output = workshop()
    assert code == 0
    first, *others = output.splitlines()
    vectorize = exercises.get("vectorize")
    assert first == f"0_2_vectorize ({vectorize.size}): {vectorize.title}"
    assert "## What to do" in others
    assert "## How you know that it works" not in others
    assert f"edit {os.path.relpath(workshop.answer)}" in others
    assert others[-1] == "then: polymask workshop check vectorize"
    progress.note(workshop.folder, "vectorize", state=progress.RIGHT)
    assert workshop()[1].startswith("1_2_type (")
    progress.note(workshop.folder, "vectorize", state=progress.BROKEN)
    assert workshop()[1].startswith("0_2_vectorize (")  # first what an edit broke
    for name in "vectorize", "type":
        progress.note(workshop.folder, name, state=progress.PASSED)
    assert workshop() == (0, f"{workshop.folder} has no other open exercise: all have passed\n")


def test_the_workshop_alone_starts_where_there_is_none(polymask, tmp_path):
    (tmp_path / "workshop").mkdir()
    (tmp_path / "workshop" / folder.COURSE).write_text("vectorize\n")
    code, out, _ = polymask("workshop")
    assert code == 0
    assert "1 exercise written" in out
    assert "then: polymask workshop check vectorize" in out
    assert (tmp_path / "workshop" / "0_2_vectorize" / "vectorized.py").is_file()
    assert "written" not in polymask("workshop")[1]


# After passing


@pytest.fixture
def passing(workshop, monkeypatch):
    """A workshop in which each check passes."""
    monkeypatch.setattr(checking, "check", lambda *a, **k: checking.Outcome(True, correct=True))
    return workshop


def with_answers(monkeypatch, *answers):
    monkeypatch.setattr(exercises.Exercise, "answers", lambda self: answers)


def test_a_passed_exercise_asks_one_question_and_names_the_next_command(passing, monkeypatch):
    with_answers(monkeypatch, "144 bytes.", "On y.")
    _, output = passing("check", "vectorize")
    assert len(output.splitlines()) <= 7
    first, second = exercises.get("vectorize").questions()
    assert first in " ".join(output.split())
    assert second[:30] not in output
    assert "polymask workshop solution vectorize" in output
    assert output.endswith("next: polymask workshop (1_2_type)\n")


def test_answers_are_shown_with_the_solution(workshop, monkeypatch):
    with_answers(monkeypatch, "144 bytes.", "On y.")
    assert "144 bytes." not in workshop("solution", "vectorize")[1]
    code, output = workshop("solution", "vectorize", "--give-up")
    assert code == 0
    texts = [exercises.get("vectorize").questions()[0][:30], "144 bytes.", "On y."]
    assert sorted(texts, key=output.index) == texts
    progress.note(workshop.folder, "vectorize", state=progress.PASSED)
    assert workshop("solution", "vectorize") == (0, output)


def diff_of(text, *whys):
    """Return the explained diff from a text to the solution of `vectorize`, in lines."""
    exercise = exercises.get("vectorize")
    regions = [
        dataclasses.replace(region, why=why)
        for region, why in zip(exercise.regions[exercise.main], whys, strict=True)
    ]
    changed = dataclasses.replace(exercise, regions={exercise.main: regions})
    return list(workshop_texts.explained_diff(changed, exercise.main, text))


def test_the_solution_explains_each_region_below_its_lines():
    exercise = exercises.get("vectorize")
    whys = "The idea.", "Each edge is one pass."
    for text, sign in (
        (exercise.starter(exercise.main), "+"),
        (exercise.solution(exercise.main), " "),
    ):
        lines = diff_of(text, *whys)
        at = lines.index("why: Each edge is one pass.")
        assert lines[at - 1] == f"{sign}        inside ^= crosses"
        assert sum(line.startswith("why:") for line in lines) == 2


# A course


def test_a_course_has_its_own_order(workshop):
    code, output = workshop("start", "--exercises", "type, profile type")
    assert code == 0
    assert "1 exercise written, 1 existed" in output
    assert "polymask workshop" in output
    assert (workshop.folder / "course.txt").read_text() == "type\nprofile\n"
    rows = re.findall(r"\d_\d_\w+", workshop("list")[1])
    assert rows == ["1_2_type", "0_1_profile"]
    progress.note(workshop.folder, "vectorize", checks=1)
    assert "0_2_vectorize" in workshop("list")[1]
    with (workshop.folder / "course.txt").open("a") as course:
        course.write("# until lunch\nrows\n")
    assert "1 exercise written, 2 existed" in workshop("start")[1]
    assert "9_1_rows" in workshop("list")[1]
    assert workshop()[1].startswith("1_2_type ")
    assert "type, hint 1 of" in workshop("hint")[1]
    progress.note(workshop.folder, "type", state=progress.PASSED)
    assert workshop()[1].startswith("0_1_profile ")


@folded(
    ("text", "names"),
    [
        ("type\nvectorize\n", ["type", "vectorize"]),
        ("\ufeff# Monday\r\n\r\n1_2_type  # 25 minutes\r\n", ["type"]),
        ("", []),
    ],
)
def test_a_course_is_read_as_people_write_it(tmp_path, text, names):
    (tmp_path / folder.COURSE).write_text(text, encoding="utf-8")
    assert folder.course(tmp_path) == names


def test_an_unknown_name_in_a_course_is_an_error_with_its_line(workshop):
    (workshop.folder / folder.COURSE).write_text("type\nvectorise\n")
    for command in (), ("list",), ("check",), ("start",):
        code, output = workshop(*command)
        assert code == 2
        assert output.startswith(f"polymask: {workshop.folder / 'course.txt'}, line 2: ")
        assert "'vectorize'" in output
        assert output.count("\n") == 1


# The list


def test_the_list_shows_a_bar_per_lesson_and_the_current_lesson(workshop, monkeypatch):
    lines = workshop("list")[1].splitlines()
    assert lines[:3] == [
        "0_python     " + "░" * 20 + " 0 of 1",
        "1_cython     " + "░" * 20 + " 0 of 1",
        "",
    ]
    assert "1_2_type" not in "".join(lines)
    assert "1_2_type" in workshop("list", "--all")[1]
    progress.note(workshop.folder, "vectorize", state=progress.RIGHT, speed_up=61.4)
    output = workshop("list")[1]
    assert "0_python     " + "█" * 20 + " 1 of 1" in output
    assert "0_2_vectorize" not in output
    assert re.search(r"^ next +1_2_type", output, re.M)
    assert "1 of 2 exercises passed in" in output
    assert re.search(r"^✓ +0_2_vectorize .* ~61\.4 ", workshop("list", "--all")[1], re.M)
    legend = "`polymask workshop check --pending` does so"
    assert legend not in output  # as no row has the mark
    assert legend in workshop("list", "--all")[1]
    monkeypatch.chdir(workshop.folder / "0_2_vectorize")
    assert "0_2_vectorize" in workshop("list")[1]


def test_pending_answers_are_checked_when_the_machine_is_quiet(passing, monkeypatch):
    assert passing("check", "--pending") == (0, "no right answer waits for a measurement\n")
    progress.note(passing.folder, "vectorize", state=progress.RIGHT)
    full = busy.Look(cores=2, others=1.8, stolen=0.0)
    monkeypatch.setattr(busy, "look", lambda: full)
    code, output = passing("check", "--pending")
    assert (code, "use 1.8 of 2 cores" in output, "Try again later" in output) == (1, True, True)
    monkeypatch.setattr(busy, "look", lambda: busy.Look(cores=2, others=0.0, stolen=0.0))
    code, output = passing("check", "--pending")
    assert (code, "PASSED vectorize" in output, "type" in output) == (0, True, True)
    assert progress.load(passing.folder)["vectorize"].state == progress.PASSED
    assert passing("check", "--pending", "vectorize")[0] == 2


# Watching


@pytest.fixture
def keys(monkeypatch):
    """Replace the keyboard; each entry is a key, or a function that is called at that time."""

    def press(*entries):
        left = list(entries)

        def read(seconds):
            entry = left.pop(0) if left and seconds else ""
            return entry if isinstance(entry, str) else entry() or ""

        monkeypatch.setattr(workshop_watch, "read_key", read)
        return left

    monkeypatch.setattr(workshop_watch, "can_read_keys", lambda: True)
    return press


def test_watch_checks_at_each_save_and_goes_on_to_the_next_exercise(workshop, keys, monkeypatch):
    outcomes = [checking.Outcome(False), checking.Outcome(True, correct=True)]
    monkeypatch.setattr(checking, "check", lambda *a, **k: outcomes.pop(0))
    left = keys(
        *(lambda: workshop.answer.write_text("1\n"), "", ""),  # a look later, the time is the same
        *(lambda: workshop.answer.write_text("22\n"), "", ""),
        *("", "q"),  # of the next exercise
    )
    code, output = workshop()
    assert (code, outcomes, left) == (0, [], [])
    words = ("0_2_vectorize (", "NOT YET", "PASSED", "next: ", "1_2_type (")
    assert sorted(words, key=output.index) == list(words)


def test_the_keys_of_watch(workshop, keys, passing):
    keys("h", "G", "x", "n", "c")
    code, output = workshop("watch", "vectorize")
    assert code == 0
    assert "vectorize, hint 1 of" in output
    assert "+        inside ^= crosses" in output  # the solution
    assert "PASSED type" in output
    assert output.endswith("no other open exercise: you left out vectorize\n")


def test_watch_survives_what_goes_wrong(workshop, keys, monkeypatch):
    faults = [KeyboardInterrupt, Unavailable("no device"), OSError(errno.ENOSPC, "full", "file")]

    def fail(*arguments, **keywords):
        raise faults.pop(0)

    def rename():
        workshop.answer.parent.rename(workshop.folder / "renamed")

    keys("", "", workshop.answer.unlink, "", "", rename, "", "", "q")
    code, output = workshop("watch", "vectorize")
    assert (code, "vectorized.py is missing: restore it with" in output) == (0, True)
    (workshop.folder / "renamed").rename(workshop.answer.parent)
    monkeypatch.setattr(checking, "check", fail)
    keys("c", "c", "c", rename, "c", "q")
    code, output = workshop("watch", "vectorize")
    assert (code, faults) == (0, [])
    for text in "was interrupted", "no device", "no space left", "vectorize is not in":
        assert text in output


def test_keys_are_read_from_a_terminal_whose_settings_stay(monkeypatch):
    ours, theirs = os.openpty()
    with open(theirs) as terminal, open(ours):
        monkeypatch.setattr("sys.stdin", terminal)
        before = termios.tcgetattr(theirs)
        assert workshop_watch.read_key(0) == ""
        for typed, key in (b"h", "h"), (b"N", "N"), (b"\x1b[A", "\x1b[A"), (b"\x04", "q"):
            os.write(ours, typed)
            assert workshop_watch.read_key(5) == key
        assert termios.tcgetattr(theirs) == before


# Predictions over time


def test_predictions_are_listed_in_the_order_of_time(workshop):
    assert "nothing was predicted and measured yet" in workshop("predictions")[1]
    progress.note(workshop.folder, "vectorize", predicted=10, first=80.0, predicted_at=10**9)
    progress.note(workshop.folder, "vectorize", speed_up=95.0)  # later
    progress.note(workshop.folder, "type", predicted=8, speed_up=4.0)  # by an older version
    code, output = workshop("predictions")
    assert code == 0
    assert re.search(
        r"^ +type +8 +4\.00 +2\.0 +█{4} *\n2001-09-0\d +vectorize +10 +80.0 +8.0 +█{12} *$",
        output,
        re.M,
    )
    assert "median factor: 2.0 in the first half, 8.0 in the second half" in output
