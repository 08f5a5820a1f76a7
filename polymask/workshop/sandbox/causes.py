"""What a compiler's words mean for the student: the cause, in a line, and what to do."""

import re

CAUSES = (
    (
        r"'(\w+)\.pxd' not found",
        "there is no file {0}.pxd here: what is cimported has to be declared in one, beside the "
        "file that cimports it",
    ),
    (
        r"'(\w+)/\w+\.pxd' not found|'\w+' not declared in module '(\w+)'",
        "{0}.pxd does not declare what is cimported from it: write the `cdef extern from` block, "
        "or, if it is there, compare the names",
    ),
    (
        r"Object of type '(\w+)' has no attribute '(\w+)'",
        "{0} is declared without {1}: the `.pxd` has to declare all that is called",
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
        "an address of what nobody may write to is handed over: the declaration has to say `const`",
    ),
    (
        r"Cannot take address of Python (?:variable|object)",
        "only what lies in C has an address: make a typed memoryview of the array, and take the "
        "address of its first element",
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
