"""What a compiler's words mean for the student: the cause, in a line, and what to do."""

import re

from polymask.workshop import concepts

CAUSES = (
    (
        r"'(\w+)\.pxd' not found",
        "there is no file {0}.pxd here: what is cimported has to be declared in one, beside the "
        f"file that cimports it {concepts.DECLARED}",
    ),
    (
        r"'(\w+)/\w+\.pxd' not found|'\w+' not declared in module '(\w+)'",
        "{0}.pxd does not declare what is cimported from it: write the `cdef extern from` block, "
        f"or, if it is there, compare the names {concepts.DECLARED}",
    ),
    (
        r"Object of type '(\w+)' has no attribute '(\w+)'",
        "{0} is declared without {1}: the `.pxd` has to declare all that is called "
        f"{concepts.DECLARED}",
    ),
    (
        r"cpdef [^\n]*\bnogil:\n *\^\n-+\n[^\n]*not allowed without gil",
        "a `cpdef` method first asks whether a subclass has its own, for which it needs the GIL: "
        "make it `cdef`, or leave `nogil` out",
    ),
    (
        r"Calling gil-requiring function not allowed without gil",
        "what is called without the GIL has to be declared so: `nogil` belongs behind the name of "
        "the header, or of the function, in its declaration",
    ),
    (
        r"(?:Accessing Python|Coercion from Python|Operation|Indexing Python).* not allowed without"
        r" (?:the )?[Gg][Ii][Ll]",
        "inside `with nogil:` all has to be C: give what is used there a C type before, by `cdef`",
    ),
    (
        r"Cannot assign type 'const (\w+) \*' to '\1 \*'",
        "an address of what nobody may write to is handed over: the declaration has to say `const` "
        f"{concepts.READ_ONLY}",
    ),
    (
        r"Cannot take address of Python (?:variable|object)",
        "only what lies in C has an address: make a typed memoryview of the array, and take the "
        f"address of its first element {concepts.ADDRESS}",
    ),
    (
        r"numpy/\w+\.h: No such file",
        "whoever cimports numpy needs its headers: include_dirs=[..., numpy.get_include()]",
    ),
    (
        r"undeclared name not builtin: (\w+)|undeclared name '(\w+)'",
        "{0} was never declared, imported or assigned",
    ),
)


def of(text):
    """Return the cause of what a compiler said, in a line; empty if it is not known."""
    for pattern, words in CAUSES:
        if match := re.search(pattern, text):
            return words.format(*filter(None, match.groups()))
    return ""
