"""A starter is its solution without some regions: it is made, and so cannot drift from it."""


class Drifted(ValueError):
    """A region's lines are not in the solution any more."""


def cut(text, regions):
    """Return a solution's text with each region's lines replaced by what the region puts.

    A region begins at the first line, after the region before, that begins like its `first` (blanks
    in front aside), and ends with the first one after it that begins like its `last`; it is one
    line if there is no `last`. Raises `Drifted` if a line is not found.
    """
    lines, made, at = text.splitlines(), [], 0
    for region in regions:
        first = _find(lines, region.first, at)
        last = first if region.last is None else _find(lines, region.last, first + 1)
        made += [*lines[at:first], *region.put.splitlines()]
        at = last + 1
    return "\n".join([*made, *lines[at:]]) + "\n"


def _find(lines, begins, start):
    for number in range(start, len(lines)):
        if lines[number].strip().startswith(begins):
            return number
    raise Drifted(f"no line from {start + 1} on begins with {begins!r}")


def make(exercise, file):
    """Return the starter of one of an exercise's files."""
    return cut(exercise.solution(file), exercise.regions.get(file, ()))
