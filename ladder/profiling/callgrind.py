"""Reader of callgrind's output: instructions of each function and each line.

A file names a position (``fl=``, ``fi=``, ``fe=`` for the file, ``fn=`` for the function, ``ob=``
for the object), followed by line numbers with their costs. A name gets a number, which replaces it
later. Line numbers may be relative. The line after ``calls=`` has the cost of a called function,
which is counted in that function, too; its names have a ``c``, as in ``cfn=``.
"""

import re
from collections import Counter

UNKNOWN = "???"  # callgrind's name for unknown files and functions
NAME = re.compile(r"(c?)(ob|fl|fi|fe|fn)=\((\d+)\)(?: (.*))?$")
TOTAL = re.compile(r"^totals: (\d+)$", re.MULTILINE)
COST = re.compile(r"(\+\d+|-\d+|\*|\d+) (\d+)$")


def total(text):
    """Return the total number of instructions in a file."""
    return int(TOTAL.search(text)[1])


def read(text):
    """Return the numbers of instructions by (function, object), and by (file, line)."""
    functions, lines = Counter(), Counter()
    names = {"ob": {}, "file": {}, "fn": {}}
    position = dict.fromkeys(names, UNKNOWN)
    line, called = 0, False
    for text_line in text.splitlines():
        if match := NAME.match(text_line):
            is_called, kind, number, name = match.groups()
            kind = kind if kind in names else "file"
            if name is not None:
                names[kind][number] = name
            if not is_called:
                position[kind] = names[kind][number]
        elif text_line.startswith("calls="):
            called = True
        elif match := COST.match(text_line):
            if match[1][0] in "+-":
                line += int(match[1])
            elif match[1] != "*":
                line = int(match[1])
            if not called:
                functions[position["fn"], position["ob"]] += int(match[2])
                lines[position["file"], line] += int(match[2])
            called = False
    return functions, lines
