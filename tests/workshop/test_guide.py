"""The guide: its exercises, timetables and commands match the existing ones."""

import re

from ladder.workshop import exercises

EVERY = exercises.every()


def test_the_guide_has_every_exercise_and_its_minutes(root):
    text = (root / "docs/exercises.md").read_text()
    for exercise in EVERY:
        assert f"| {exercise.name} | {exercise.rung} | {exercise.minutes} |" in text


def test_the_timetables_leave_time_for_reading_and_for_every_exercise(root):
    minutes = {exercise.name: (exercise.rung, exercise.minutes) for exercise in EVERY}
    text = (root / "docs/timetables.md").read_text()
    table = text.partition("# Timetables")[2].partition("Each lesson begins")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.strip().splitlines()]
    for column in range(0, len(rows[0]), 2):
        slots = [(row[column], row[column + 1]) for row in rows[2:] if row[column]]
        clock = [int(h) * 60 + int(m) for h, _, m in (time.partition(":") for time, _ in slots)]
        assert len(slots) > 4
        lessons = set()
        for (_, entry), begin, end in zip(slots, clock, clock[1:], strict=False):
            lesson, named, names = entry.removeprefix("lesson ").partition(": ")
            if not named:
                continue
            done = [minutes[name] for name in names.split(", ")]
            assert {rung for rung, _ in done} == {int(lesson)}
            reading = 0 if lesson in lessons else 10
            assert sum(needed for _, needed in done) + reading <= end - begin, entry
            lessons.add(lesson)


def test_the_guides_commands_exist(root):
    from ladder.cli.workshop import workshop as group

    pages = "WORKSHOP.md", "docs/authoring.md"
    text = "".join((root / page).read_text() for page in pages)
    mentioned = set(re.findall(r"polymask workshop (\w+)", text))
    assert mentioned <= set(group.commands)
    assert set(group.commands) - mentioned == set()
