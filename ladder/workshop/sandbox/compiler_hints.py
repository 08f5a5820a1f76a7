"""Explanations of compiler messages: the cause in a line, and what to do."""

import re

from ladder.workshop import concepts

CIMPORTS = {
    **{name: f"from cython.parallel cimport {name}" for name in ("prange", "parallel", "threadid")},
    **dict.fromkeys(("malloc", "free"), "from libc.stdlib cimport malloc, free"),
    "inside_polygon": "from inside_polygon cimport inside_polygon",
}
# From NumPy's type names to those of OpenCL C, where some of NumPy's names mean vectors.
OPENCL_C = {
    "int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort", "int32": "int",
    "uint32": "uint", "int64": "long", "uint64": "ulong", "float32": "float", "float64": "double",
}  # fmt: skip
VECTOR = re.compile(r"\b(u?int)(8|16)\b\s*\*")
INDICES = {  # in a kernel or in C++, but not in a comment
    r"(?m)^[^/\n]*\bmask\[ *y *, *x *\]": "in C, mask[y, x] is mask[x]: write mask[y * cols + x]",
    r"(?m)^[^/\n]*\bmask\[[^]]*\by *\* *rows\b": "row y begins at y * cols, not at y * rows",
    r"\binside_polygon\([^;]*\.size\(\) *,": "size() counts coordinates: a vertex has two",
}
NARROW = {  # an argument of an offloaded kernel, in a line of Python
    r"(?m)^[^#\n]*\binvoke\([^#\n]*\bnp\.(u?int(?:8|16|32)|float32)\(": (
        "np.{0} has fewer bytes than the `int64_t` or `double` that the kernel reads: pass a plain "
        "number of Python"
    ),
}
UNKNOWN_TYPE = re.compile(rf"unknown type(?: name)? '({'|'.join(OPENCL_C)})(_t)?'")
UNDECLARED = re.compile(r"undeclared name not builtin: (\w+)|undeclared name '(\w+)'")

HINTS = {  # from a pattern in a message
    r"'(\w+)\.pxd' not found": (
        f"{{0}}.pxd is missing: write it, and declare the cimported names {concepts.DECLARED}"
    ),
    r"'(\w+)/\w+\.pxd' not found|'\w+' not declared in module '(\w+)'": (
        "{0}.pxd does not declare a cimported name: write the `cdef extern from` block, or compare "
        f"its names {concepts.DECLARED}"
    ),
    r"Object of type '(\w+)' has no attribute '(\w+)'": (
        f"{{0}} is declared without {{1}}: declare it in the `.pxd`, too {concepts.DECLARED}"
    ),
    r"cpdef [^\n]*\bnogil:\n *\^\n-+\n[^\n]*not allowed without gil": (
        "`cpdef` looks up methods of subclasses, which needs the GIL: make it `cdef`, or "
        f"leave out `nogil` {concepts.GIL}"
    ),
    r"Calling gil-requiring function not allowed without gil": (
        "a function that is called without the GIL must be declared `nogil`: write it after the "
        f"name of the header, or at the end of the function's declaration {concepts.GIL}"
    ),
    r"(?:Python|Operation).* not allowed without (?:the )?[Gg][Ii][Ll]": (
        f"without the GIL everything must be C: declare it with `cdef` and a C type {concepts.GIL}"
    ),
    r"Cannot read reduction variable in loop body": (
        "in a `prange` loop, `+=` makes a variable the sum of all threads, which none can read: "
        "write `x = x + ...` for a value of one thread's own, or add to an element of an array"
    ),
    r"'(u?int\d+_t)' is not a type identifier": "add `from libc.stdint cimport {0}`",
    r"(?s)\nclass (\w+).*cdef statement not allowed here": "only a `cdef class {0}` has C fields",
    r"cdef statement not allowed here": "write `cdef` above all loops, for the whole function",
    r"Cannot assign type 'const (\w+) \*' to '\1 \*'": (
        f"this memory is read-only: add `const` to the declaration {concepts.READ_ONLY}"
    ),
    r"&self\.(\w+)[^\n]*\n *\^\n-+\n[^\n]*Cannot take address of Python": (
        "{0} has no C type: declare this field in the body of the class"
    ),
    r"Cannot take address of Python (?:variable|object)": (
        f"only C variables have an address: make a typed memoryview of it {concepts.ADDRESS}"
    ),
    r"'long' to 'void'": "a void function returns no value for an exception: declare it `except *`",
    (
        r"\n(?:(?:[^\n]*;)? *(?://|/\*)|[^\n]*(?:std::|\) const\b))[^\n]*\n *\^\n-+\n"
        r"[^\n]*(?:Syntax error in C variable|Expected an identifier)"
    ): (
        "this is C, which differs from Cython: comments begin with `#`; write `ptrdiff_t`, not "
        "`std::ptrdiff_t`; leave out `const noexcept` after the `)`"
    ),
    r"\n[^\n]*\b(noexcept|except)\b[^\n]*\(\S*[^\n]*\n *\^\n-+\n[^\n]*Syntax error in C variable": (
        "`{0}` stands after the `)` of the arguments: `cdef double f(double x) {0}`"
    ),
    r"\bexcept \w+(?:Error|Exception):?\n *\^\n-+\n[^\n]*Not allowed in a constant expression": (
        "`except` takes a value that means an exception, such as -1, or `*`, but not a class"
    ),
    r"\n *cdef [^\n]*\bself\.[^\n]*\n *\^\n-+\n[^\n]*(?:Syntax error in C var|Empty declarator)": (
        "declare fields in the body of the class, and assign to them without `cdef`"
    ),
    r"Cannot assign type '(?:const )?double\[[^']*' to '[^']*\*'|address of memoryview slice": (
        f"pass the address of an element, with all its indices: `&view[0, 0]` {concepts.ADDRESS}"
    ),
    r"Cannot assign type '(\w+)' to '\1 \*'": "a pointer comes from `new {0}(...)`, not {0}(...)",
    r"Cannot assign type 'void \*' to '(\w+ \*)'": "convert the pointer: `<{0}>malloc(...)`",
    r"Invalid types for '\S+' \(\w+ \*, Python": "compare a pointer with NULL, not with None",
    r'can only concatenate list \(not "str"\)|-E or -x required when input is from standard': (
        'flags are a list: extra_compile_args=["-O3", ...]'
    ),
    r"Deletion of non-Python, non-C": "memory of malloc is freed by `free(p)`, not `del`",
    r"\bsetup\(\) takes 0 positional|^setup\.py, .*: positional argument follows": (
        "`setup` takes keyword arguments only: write setup(ext_modules=cythonize([...]))"
    ),
    r'"-openmp"': "the flag is `-fopenmp`: `-openmp` means `-o penmp`, the name of the output",
    r'argument to .-O. should be|"-[^" ]+ +-[^"]*"': (
        "several flags are in one string: write a string for each flag"
    ),
    r"unknown floating point .*off-": "a comma is missing between two flags",
    r"numpy/\w+\.h: No such file": "NumPy's headers: include_dirs=[..., numpy.get_include()]",
}

TO_DEVICE = "PyOpenCL takes arrays of the device here: write `cl.array.to_device(queue, ...)`"
RAISED = {  # from a pattern in the message of an exception
    r"leading zeros in decimal": "write numbers without commas and leading zeros, such as 4096",
    r"argument (\d+): TypeError: .* must be an ndarray": "argument {0}: pass the array itself",
    r"argument (\d+): TypeError: array must have data type (\w+)": (
        "argument {0} has another type than {1} in `argtypes`: which is in the header?"
    ),
    r"argument (\d+): TypeError: (.*)": (
        "argument {0} of the C function: {1}: compare the call and its `argtypes` with the header"
    ),
    r"^an integer is required$": (
        "a number is required, but this is an object such as None: is there a `return`?"
    ),
    r"buffer source array is read-only": (
        f"the vertices may be read-only: declare `const double[:, ::1]` {concepts.READ_ONLY}"
    ),
    r"Cannot cast ufunc 'add' output .* to dtype\('bool'\)": (
        "Booleans cannot count: toggle them with `^=`, or use an array of integers"
    ),
    r"'Event' object is not iterable": "`wait_for` takes a list of events: `wait_for=[event]`",
    r"int\(\) argument must be .* not 'Array'": "the number is on the device: `get()` fetches it",
    r"(?s)matching definition for argument type\(s\).*readonly array": (
        "a read-only array has a type of its own: leave out the types, so that Numba infers them"
    ),
    r"Untyped global name '(\w+)'.*<class 'function'>": (
        "compiled code calls only compiled functions: compile `{0}`, too"
    ),
    r"Untyped global name 'prange'": "prange was never imported: write `numba.prange`",
    r"Unknown attribute 'check' of type Module": "compile only the loops: make_mask stays Python",
    r"'numpy.ndarray' object has no attribute '(?:_new_|allocator|queue|base_data)": TO_DEVICE,
    r"nopython mode pipeline[^\n]*\n\s*([^\n]+)": "Numba cannot compile it: {0}",
    r"unknown type '(?:__)?global (\w+)'": "leave `global` out in ready-made kernels: `{0} *`",
    r"(INVALID_WORK_GROUP_SIZE[^\n]*)": (
        "the work-group is too large, or the global size is not a multiple of its size in each "
        f"dimension ({{0}}); x, the columns, comes first {concepts.GUARD}"
    ),
    r"truth value of an array": (
        "`and`, `or`, `not` and `a < x < b` need a single truth value: between arrays write `&`, "
        "`|` and `~`, and put each comparison in parentheses. `any` and `all` are something else"
    ),
    r"ufunc 'bitwise_(?:and|or)' not supported": (
        "`&` and `|` bind more tightly than `==` and `<`: put each comparison in parentheses"
    ),
    r"Buffer dtype mismatch, expected '([^']+)' but got '([^']+)'": (
        "the memoryview has elements of type {0}, but the array of type {1}: NumPy's float64 is "
        "`double` in C, and its float32 is `float`"
    ),
    r"SetKernelArg failed: INVALID_ARG_SIZE - when processing arg#(\d+)": (
        "argument {0} of the kernel has the wrong size (INVALID_ARG_SIZE): pass `np.int32(n)` for "
        "`int`, `np.int64(n)` for `long`, and a device buffer for a pointer; compare the order, too"
    ),
    r"set_arg failed: (INVALID_VALUE(?: - when processing arg#\d+)?)": (
        "an argument of the kernel is a Python object without a C type ({0}): pass a number as "
        "`np.int32(n)` for `int`, or as `np.int64(n)` for `long`"
    ),
    r"clEnqueue(?:Read|Write)Buffer failed: INVALID_VALUE": (
        "the array has more bytes than the buffer: `cl.Buffer` takes its size in bytes, such as "
        "`h_a.nbytes`, and array and buffer need the same type"
    ),
    r"tid=\[(\d+), (\d+), \d+\] ctaid=\[(\d+), (\d+), \d+\]: (.*out of bounds.*)": (
        "thread ({0}, {1}) of block ({2}, {3}): {4}. Threads without an element must do nothing: "
        "which condition stops them?"
    ),
}


def of(text):
    """Explain a compiler's message in a line; return an empty text if the cause is unknown."""
    if match := UNDECLARED.search(text):
        name = match[1] or match[2]
        if name in CIMPORTS:
            return f"{name} is not known to Cython: add `{CIMPORTS[name]}`"
        field = f"; is it a field, `self.{name}`?" if "self." in text else ""
        return f"{name} was never declared, imported or assigned{field}"
    return of_table(HINTS, text)


def of_table(hints, text):
    """Return the hint of the first pattern that a text contains, or an empty text."""
    for pattern, hint in hints.items():
        if match := re.search(pattern, text):
            return hint.format(*filter(None, match.groups()))
    return ""


def of_vector(source):
    """Explain a NumPy type name that means a vector in OpenCL C, if a source has one."""
    if not (match := VECTOR.search(source)):
        return ""
    item, n = match[1], int(match[2])
    return (
        f"`{item}{n} *`: in OpenCL C {item}{n} is a vector of {n} {item}s, {4 * n} bytes; NumPy's "
        f"{item}{n} is called `{OPENCL_C[item + match[2]]}` there"
    )


def of_unknown_type(text):
    """Explain a NumPy type that is unknown in OpenCL C, if a compiler's message names one."""
    if not (match := UNKNOWN_TYPE.search(text)):
        return ""
    return f"{match[1]}{match[2] or ''} is not a type of OpenCL C: write `{OPENCL_C[match[1]]}`"
