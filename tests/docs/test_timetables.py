"""The timetables of WORKSHOP.md for courses of several lengths: their sums and their exercises."""

import re

import pytest
from checkouts import ROOT

from ladder.workshop import exercises

EVERY = {exercise.directory: exercise for exercise in exercises.every()}
GUIDE = (ROOT / "WORKSHOP.md").read_text(encoding="utf-8")
COURSES = dict(re.findall(r"^### ([^\n]*)\n+(\| from .*?)(?=^##)", GUIDE, re.M | re.S))
NAMED = re.compile(r"`(\d_\d+_\w+)` \(?(\d+)")
DAY = 540  # minutes from nine o'clock to six


def rows(course):
    """Return the rows of a timetable, as cells."""
    lines = re.findall(r"^\| (\d.*) \|$", COURSES[course], re.M)
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def clock(time):
    hours, _, minutes = time.partition(":")
    return 60 * int(hours) + int(minutes)


def test_there_is_a_timetable_for_each_length():
    lengths = {name: clock(rows(name)[-1][0]) - clock(rows(name)[0][0]) for name in COURSES}
    assert lengths.pop("90 minutes") == 90
    assert lengths.pop("Three hours") == 180
    assert len(lengths) == 3  # one day, and each of two days
    assert all(360 <= length <= DAY for length in lengths.values())


@pytest.mark.parametrize("course", COURSES)
def test_each_row_has_the_minutes_of_its_slides_and_exercises(course):
    *parts, end = rows(course)
    for (begin, minutes, part, slides, named), after in zip(parts, [*parts[1:], end], strict=True):
        assert clock(after[0]) - clock(begin) == int(minutes), begin
        if not part.startswith("lesson"):
            assert not slides
            assert not named
            continue
        done = NAMED.findall(named)
        assert done
        assert len(done) == named.count("`") / 2
        assert {f"lesson {EVERY[name].rung}" for name, _ in done} == {part}
        assert all(EVERY[name].minutes == int(needed) for name, needed in done)
        assert int(slides) + sum(int(needed) for _, needed in done) == int(minutes), begin


@pytest.mark.parametrize("course", COURSES)
def test_what_may_be_dropped_is_in_the_timetable(course):
    planned = NAMED.findall("".join(row[-1] for row in rows(course)))
    dropped = NAMED.findall(COURSES[course].partition("When late")[2])
    assert dropped
    assert set(dropped) <= set(planned)
    assert len(set(planned)) == len(planned)
