"""What Cython made of a student's file: functions of C, for exercises whose lesson is the syntax.

A function of Cython's is found by its name, however the student has written it: in C it is called
``__pyx_f_..._name`` where C may call it, and ``__pyx_pf_..._name`` where only Python may.
"""

import re
from dataclasses import dataclass

from polymask.workshop.sandbox import child
from polymask.workshop.sandbox.check_failed import CheckFailed

COMMENT = re.compile(r"/\*.*?\*/", re.S)
FUNCTION = re.compile(
    r"^static ([^\n;={}]*?)\b(__pyx_p?f_\w+)\(([^\n;{}]*)\) \{\n(.*?)^\}", re.M | re.S
)
CALLED = re.compile(r"\b(__pyx_f_\w+)\(")
MODULE = 2  # parts of a name that are package and module
LOOP = re.compile(r"\b(?:for|while) \(")


def parts(name):
    """Return what a function of Cython's is in, package, module and class, and the student's name.

    Each part is written behind the number of its letters, and a function of Python's behind a
    number that counts them: ``__pyx_pf_8workshop_5calls_4half_def``.
    """
    within, rest = [], re.sub("^__pyx_p?f_", "", name)
    while match := re.match(r"\d+", rest):
        end = match.end() + int(match[0])
        part = rest[match.end() : end]
        if rest[end : end + 1] != "_" or (len(within) >= MODULE and not part[:1].isupper()):
            break  # 4make_mask is the fourth function, and no class called `make`
        within.append(part)
        rest = rest[end + 1 :]
    return within, rest.lstrip("0123456789")


@dataclass(frozen=True)
class Function:
    """A function of the C file, by its name in C."""

    name: str
    returns: str  # the type of the result, as it stands there
    takes: str  # the arguments with theirs
    body: str  # without comments

    @property
    def for_c(self):
        """Whether C may call it: it is `cdef` or `cpdef`."""
        return self.name.startswith("__pyx_f_")

    def calls(self, name):
        """Return the lines that call a function of C's that the student calls so."""
        return [
            line
            for line in self.body.splitlines()
            if any(parts(called)[1] == name for called in CALLED.findall(line))
        ]

    def loops(self):
        """Whether it has a loop."""
        return bool(LOOP.search(self.body))


class Translated:
    """The functions of the C file that Cython made of the answer."""

    def __init__(self, text=None):
        found = FUNCTION.findall(COMMENT.sub("", child.translation() if text is None else text))
        self.functions = [
            Function(name, returns.strip(), takes, body) for returns, name, takes, body in found
        ]

    def named(self, name):
        """Return the functions that the student calls so."""
        return [one for one in self.functions if parts(one.name)[1] == name]

    def reached(self, name):
        """Return the functions of that name and those of C's that they call, directly or not."""
        found, open_ = [], self.named(name)
        while open_:
            function = open_.pop()
            found.append(function)
            called = set(CALLED.findall(function.body))
            open_ += [
                one for one in self.functions if one.name in called and one not in [*found, *open_]
            ]
        return found

    def outside(self, cls):
        """Return the functions that are no methods of a class."""
        return [one for one in self.functions if cls not in parts(one.name)[0]]


def check_loop(functions, name, over):
    """Raise `CheckFailed` if none of the functions that Cython made has a loop: C code has it.

    Parameters
    ----------
    functions : sequence of Function
    name : str
        How the student calls the first of them.
    over : str
        What the loop goes through, in words.
    """
    if functions and not any(one.loops() for one in functions):
        raise CheckFailed(
            f"Cython made no loop of {name}: the loop over {over} is yours, in Cython, and not "
            "one of C that is handed over"
        )
