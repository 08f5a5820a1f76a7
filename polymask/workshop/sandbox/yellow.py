"""The yellow score: how much of each line of Cython is calls of Python's C interface.

Cython writes an annotated page, and gives each line a score there, ``score-N``: the darker the
yellow, the larger N. Summed over a function or its loops it says what is left to be done.
"""

import re
from dataclasses import dataclass

LINE = re.compile(r'<pre class="cython line score-(\d+)"[^>]*>.*?<span class="">0*(\d+)</span>')
FUNCTION = re.compile(r"\s*(?:async\s+)?(?:def|cdef|cpdef)\s[^=]*?(\w+)\s*\(")


@dataclass(frozen=True)
class Block:
    """A function, by its first and last line."""

    name: str
    first: int
    last: int


def read(page):
    """Return line number to score, of an annotated page."""
    text = page.read_text(encoding="utf-8")
    return {int(number): int(score) for score, number in LINE.findall(text)}


def functions(source):
    """Return the functions and methods of a source, in their order."""
    lines = source.splitlines()
    found = []
    for number, line in enumerate(lines, start=1):
        if (match := FUNCTION.match(line)) and not line.lstrip().startswith(("cdef class", "#")):
            last = end_of(lines, number)
            if last > number:
                found.append(Block(match[1], number, last))
    return found


def end_of(lines, number):
    """Return the last line of the block that begins at a line: the lines that are further in."""
    depth, last, open_brackets = indent(lines[number - 1]), number, 0
    for at in range(number, len(lines) + 1):
        line = lines[at - 1]
        inside = open_brackets > 0 or at == number
        open_brackets += count_brackets(line)
        if not line.strip():
            continue
        if not inside and indent(line) <= depth:
            break
        last = at
    return last


def count_brackets(line):
    """Return how many brackets a line opens and does not close; comments do not count."""
    code = line.partition("#")[0]
    return sum(code.count(c) for c in "([{") - sum(code.count(c) for c in ")]}")


def indent(line):
    """Return how far in a line begins."""
    return len(line) - len(line.lstrip())


def by_function(scores, source):
    """Return (function, yellow lines, sum of their scores) for each function."""
    found = []
    for block in functions(source):
        yellow = [scores.get(n, 0) for n in range(block.first, block.last + 1)]
        found.append((block, sum(score > 0 for score in yellow), sum(yellow)))
    return found


def in_loops(scores, source, function):
    """Return line to score of the yellow lines in a function's loops; None without the function."""
    block = next((b for b in functions(source) if b.name == function), None)
    if block is None:
        return None
    lines, inside = source.splitlines(), set()
    for number in range(block.first + 1, block.last + 1):
        if re.match(r"\s*(for|while)\b", lines[number - 1]):
            inside |= set(range(number, end_of(lines, number) + 1))
    return {n: scores[n] for n in sorted(inside) if scores.get(n)}
