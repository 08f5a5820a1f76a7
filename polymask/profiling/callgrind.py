"""Reads what callgrind counted: instructions of each function and each line.

A file of it says where it is (``fl=``, ``fi=``, ``fe=`` the file, ``fn=`` the function, ``ob=`` the
object), then a line and its cost. A name has a number, and later only that. Lines are counted from
the one before. After ``calls=`` stands the cost of what was called, which is counted there too; a
``c`` before a name, as in ``cfn=``, says that it is of what will be called.
"""

import re
from collections import Counter

UNKNOWN = "???"  # its own word for a file or function without a name
NAME = re.compile(r"(c?)(ob|fl|fi|fe|fn)=\((\d+)\)(?: (.*))?$")
TOTAL = re.compile(r"^totals: (\d+)$", re.MULTILINE)
COST = re.compile(r"(\+\d+|-\d+|\*|\d+) (\d+)$")


def total(text):
    """Return all instructions of a file."""
    return int(TOTAL.search(text)[1])


def read(text):
    """Return the instructions by (function, object), and those by (file, line)."""
    functions, lines = Counter(), Counter()
    names = {"ob": {}, "file": {}, "fn": {}}
    here = dict.fromkeys(names, UNKNOWN)
    line, called = 0, False
    for text_line in text.splitlines():
        if found := NAME.match(text_line):
            of_called, kind, number, name = found.groups()
            kind = kind if kind in names else "file"
            if name is not None:
                names[kind][number] = name
            if not of_called:
                here[kind] = names[kind][number]
        elif text_line.startswith("calls="):
            called = True
        elif found := COST.match(text_line):
            if found[1][0] in "+-":
                line += int(found[1])
            elif found[1] != "*":
                line = int(found[1])
            if not called:
                functions[here["fn"], here["ob"]] += int(found[2])
                lines[here["file"], line] += int(found[2])
            called = False
    return functions, lines
