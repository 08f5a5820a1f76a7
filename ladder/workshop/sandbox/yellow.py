"""The yellow score: how much each line of Cython calls Python's C interface.

Cython's annotated page gives each line a score, ``score-N``: the darker the yellow, the larger N.
The sum over a function or its loops shows how much of it still calls Python.
"""

import keyword
import re
import shutil
import tempfile
from collections import namedtuple
from pathlib import Path

from ladder.workshop.sandbox import build
from ladder.workshop.sandbox.check_failed import CheckFailed
from polymask.common import saving
from polymask.contract import Unavailable

LINE = re.compile(r'<pre class="cython line score-(\d+)"[^>]*>.*?<span class="">0*(\d+)</span>')
LOOP = re.compile(r"\s*(?:for|while)\b")
RETURN = re.compile(r"\s*return\b")  # ends the loop: its result becomes an object only once
FUNCTION = re.compile(r"\s*(?:async\s+)?(?:def|cdef|cpdef)\s[^=]*?(\w+)\s*\(")

ERROR = re.compile(r"^[^\s:]+:(\d+):(\d+): (?!warning)(.*)$", re.M)  # in Cython's form


def annotate(file):
    """Return Cython's annotated page of a file; raise `ValueError` if it does not translate."""
    if not file.stem.isidentifier() or keyword.iskeyword(file.stem):
        raise ValueError(f"{file} is not a module name: use letters, digits and _ only")
    try:
        build.check_readable(file.name, file.read_bytes())
    except CheckFailed as failure:
        raise ValueError(f"{file}: {failure}") from None
    with tempfile.TemporaryDirectory() as name:
        scratch, source = Path(name), Path(name, build.FOLDER)
        source.mkdir()
        for beside in [file, *file.parent.glob("*.pxd")]:
            shutil.copyfile(beside, source / beside.name)
        ended = build.run_build("annotate", scratch, file.stem, [file.name])
        pages = list(scratch.rglob(f"{file.stem}.html"))
        if pages and not ended.code:
            return pages[0].read_bytes()
        output = build.about_the_student(ended.output, source)
        saving.check_build(output, name)
    if errors := ERROR.findall(output):
        line, column, text = errors[0]
        more = f", and {len(errors) - 1} more" if errors[1:] else ""
        raise ValueError(f"{file} does not translate: line {line}, column {column}: {text}{more}")
    raise Unavailable(f"{file} does not translate", build.shorten(output))


Block = namedtuple("Block", "name first last")  # a function, with its first and last line


def read(page):
    """Return a dict from line number to score, as in an annotated page."""
    text = page.read_text(encoding="utf-8")
    return {int(number): int(score) for score, number in LINE.findall(text)}


def functions(source):
    """Return the functions and methods of a source, in order."""
    lines = source.splitlines()
    blocks = []
    for number, line in enumerate(lines, start=1):
        if (match := FUNCTION.match(line)) and not line.lstrip().startswith(("cdef class", "#")):
            last = end_of(lines, number)
            if last > number:
                blocks.append(Block(match[1], number, last))
    return blocks


def end_of(lines, number):
    """Return the last line of the block that begins at a line, whose lines are indented further."""
    depth, last = indent(lines[number - 1]), number
    for i, line in enumerate(lines[number:], start=number + 1):
        text = line.strip()
        if text and indent(line) <= depth and text[0] not in ")]}":  # which ends a long signature
            break
        last = i if text else last
    return last


def indent(line):
    """Return the number of blanks at the beginning of a line."""
    return len(line) - len(line.lstrip())


def by_function(scores, source):
    """Return a row (function, yellow lines, sum of their scores) for each function."""
    rows = []
    for block in functions(source):
        yellow = [scores.get(n, 0) for n in range(block.first, block.last + 1)]
        rows.append((block, sum(score > 0 for score in yellow), sum(yellow)))
    return rows


def in_loops(scores, source, function):
    """Return a dict from yellow line to score, for the loops of a function; None without it."""
    block = next((block for block in functions(source) if block.name == function), None)
    if block is None:
        return None
    lines, inside = source.splitlines(), set()
    for number in range(block.first + 1, block.last + 1):
        if LOOP.match(lines[number - 1]):
            body = range(number, end_of(lines, number) + 1)
            inside |= {n for n in body if not RETURN.match(lines[n - 1])}
    return {n: scores[n] for n in sorted(inside) if scores.get(n)}
