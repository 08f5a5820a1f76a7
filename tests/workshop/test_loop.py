"""The way from one exercise to the next: the task, the solution, the answers, and a course."""

import dataclasses
import re

import pytest
from cases import folded

from ladder.cli import workshop_texts
from ladder.workshop import exercises
from ladder.workshop.student import check as checking
from ladder.workshop.student import folder, progress

# The next exercise


def test_the_workshop_alone_shows_the_next_exercise(workshop):
    code, output = workshop()
    assert code == 0
    first, *others = output.splitlines()
    assert first == f"0_2_vectorize (write, ***, 25 minutes): {exercises.get('vectorize').title}"
    assert "## What to do" not in others
    assert str(workshop.answer.with_name("task.md")) in output
    assert others[-1] == "then: polymask workshop check vectorize"
    progress.note(workshop.folder, "vectorize", state=progress.RIGHT)
    assert workshop()[1].startswith("1_2_type (write, ***, 25 minutes): ")
    progress.note(workshop.folder, "type", state=progress.PASSED)
    code, output = workshop()
    assert (code, output.splitlines()[0]) == (0, f"no exercise in {workshop.folder} is open")
    assert output.endswith("not judged yet: vectorize\n")


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


def test_a_passed_exercise_asks_its_questions_and_names_the_commands(passing, monkeypatch):
    with_answers(monkeypatch, "144 bytes.", "On y.")
    _, output = passing("check", "vectorize")
    for question in exercises.get("vectorize").questions():
        assert question in " ".join(output.split())
    assert "polymask workshop answers vectorize" in output
    assert "polymask workshop solution vectorize" in output
    assert "144 bytes." not in output


def test_answers_are_shown_after_passing_or_giving_up(workshop, monkeypatch):
    with_answers(monkeypatch, "144 bytes.", "On y.")
    code, output = workshop("answers", "vectorize")
    assert (code, "144 bytes." in output) == (1, False)
    assert "`polymask workshop answers vectorize --give-up`" in output
    code, output = workshop("answers", "vectorize", "--give-up")
    assert code == 0
    texts = [exercises.get("vectorize").questions()[0][:30], "144 bytes.", "On y."]
    assert sorted(texts, key=output.index) == texts
    progress.note(workshop.folder, "vectorize", state=progress.PASSED)
    assert workshop("answers", "vectorize") == (0, output)


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
    lines = diff_of(exercise.starter(exercise.main), "", "Each edge is one pass.")
    at = lines.index("why: Each edge is one pass.")
    assert lines[at - 1] == "+        inside ^= crosses"
    assert sum(line.startswith("why:") for line in lines) == 1


def test_regions_without_a_difference_are_explained_with_their_lines():
    exercise = exercises.get("vectorize")
    solution = exercise.solution(exercise.main)
    lines = diff_of(solution, "The idea.", "Each edge is one pass.")
    first, last = (
        solution.splitlines().index(line) + 1
        for line in ("        on_vertex |= (x == x1) & (y == y1)", "        inside ^= crosses")
    )
    assert lines[0] == f"{exercise.main}: no difference"
    assert lines[2] == f"lines {first} to {last} of 0_python/vectorized.py: Each edge is one pass."
    assert len(lines) == 3


# A course


def test_a_course_has_its_own_order(workshop):
    code, output = workshop("start", "--exercises", "type,profile,type")
    assert code == 0
    assert "1 exercise written, 1 existed" in output
    assert "polymask workshop check type" in output
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


def test_the_list_counts_answers_whose_speed_was_not_judged(workshop):
    assert "0 of 2 exercises passed in" in workshop("list")[1]
    progress.note(workshop.folder, "vectorize", state=progress.RIGHT)
    progress.note(workshop.folder, "type", state=progress.PASSED)
    output = workshop("list")[1]
    assert "1 of 2 exercises passed, 1 right (speed not judged) in" in output
    assert "run `polymask workshop check NAME`, or add --force" in output


# Watching


def test_watch_checks_at_each_save_and_ends_when_the_exercise_passes(workshop, monkeypatch):
    outcomes = [checking.Outcome(False), checking.Outcome(True, correct=True)]

    def check(exercise, where, **keywords):
        workshop.answer.write_text(f"{len(outcomes)} left\n")  # a save during the check
        return outcomes.pop(0)

    monkeypatch.setattr(checking, "check", check)
    code, output = workshop("watch", "vectorize")
    assert (code, outcomes) == (0, [])
    assert output.index("Ctrl-C ends it") < output.index("PASSED")
