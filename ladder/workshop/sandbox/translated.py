"""The C functions that Cython wrote for a student's file, for exercises about syntax.

They are found by name, independent of the student's style: ``__pyx_f_..._name`` if C can call the
function, ``__pyx_pf_..._name`` if only Python can.
"""

import re
from dataclasses import dataclass

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed

COMMENT = re.compile(r"/\*.*?\*/", re.S)
FUNCTION = re.compile(
    r"^static ([^\n;={}]*?)\b(__pyx_p?f_\w+)\(([^\n;{}]*)\) \{\n(.*?)^\}", re.M | re.S
)
CALLED = re.compile(r"\b(__pyx_f_\w+)\(")
MODULE = 2  # parts of a name: package and module
LOOP = re.compile(r"\b(?:for|while) \(")


def parts(name):
    """Return the package, module and class of a Cython function, and the student's name for it.

    The length of each part precedes it. A Python function also has a serial number:
    ``__pyx_pf_8workshop_5calls_4half_def``.
    """
    names, remainder = [], re.sub("^__pyx_p?f_", "", name)
    while match := re.match(r"\d+", remainder):
        end = match.end() + int(match[0])
        part = remainder[match.end() : end]
        if remainder[end : end + 1] != "_" or (len(names) >= MODULE and not part[:1].isupper()):
            break  # 4make_mask is the fourth function, not a class called `make`
        names.append(part)
        remainder = remainder[end + 1 :]
    return names, remainder.lstrip("0123456789")


@dataclass(frozen=True)
class Function:
    """A function of the C file."""

    name: str
    returns: str  # the type of the result
    takes: str  # the arguments with their types
    body: str  # without comments

    @property
    def for_c(self):
        """Whether C can call it: it is `cdef` or `cpdef`."""
        return self.name.startswith("__pyx_f_")

    def calls(self, name):
        """Return the lines that call a C function with the student's name."""
        return [
            line
            for line in self.body.splitlines()
            if any(parts(called)[1] == name for called in CALLED.findall(line))
        ]

    def loops(self):
        """Whether it has a loop."""
        return bool(LOOP.search(self.body))


class Translated:
    """The functions of the C file that Cython wrote for the answer."""

    def __init__(self, text=None):
        if text is None:
            name = child.exercise.module + (".cpp" if child.exercise.language == "c++" else ".c")
            file = next((child.source.parent / "cython").rglob(name))
            text = file.read_text(encoding="utf-8")
        self.text = COMMENT.sub("", text)
        matches = FUNCTION.findall(self.text)
        self.functions = [
            Function(name, returns.strip(), takes, body) for returns, name, takes, body in matches
        ]

    def named(self, name):
        """Return the functions with the student's name."""
        return [function for function in self.functions if parts(function.name)[1] == name]

    def reached(self, name):
        """Return the functions of that name, and those that they call in C, even indirectly."""
        functions, open_ = [], self.named(name)
        while open_:
            function = open_.pop()
            functions.append(function)
            called = set(CALLED.findall(function.body))
            open_ += [
                other
                for other in self.functions
                if other.name in called and other not in [*functions, *open_]
            ]
        return functions


def check_loop(functions, name, over):
    """Raise `CheckFailed` if none of Cython's functions has a loop: then C code has it.

    `name` is the student's name for the first of them, and `over` what the loop iterates over.
    """
    if functions and not any(function.loops() for function in functions):
        advice = f"write the loop over {over} yourself, in Cython, and do not call C code for it"
        raise CheckFailed(f"Cython generated no loop for {name}", advice=advice)
