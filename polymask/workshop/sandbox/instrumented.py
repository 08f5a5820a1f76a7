"""C of Cython's that counts, and that a check can switch off piece by piece while it runs.

The student's text stays as it is, and so does what is measured: what is changed is the C file that
Cython made. There each function has a twin, which works while a check watches; and memory that is
asked for and given back is counted. `polymask.workshop.sandbox.watching` reads and switches.
"""

import re

from polymask.workshop.sandbox.translated import FUNCTION, parts

TWIN = "_watched"
MODULE = 2  # parts of a name that are package and module
CALLED = re.compile(r"\b(__pyx_p?f_\w+)\(")

CALL = "call of "  # before the name of a method of C++, of which the calls are switched
# Functions of C's and Python's that ask for memory: their arguments, and the bytes in these.
ASKING = {
    "malloc PyMem_Malloc PyMem_RawMalloc": ("n", "(n)"),
    "calloc PyMem_Calloc PyMem_RawCalloc": ("m, n", "(size_t)(m) * (n)"),
    "aligned_alloc": ("a, n", "(n)"),
}
GROWING = "realloc PyMem_Realloc PyMem_RawRealloc"
GIVING = "free PyMem_Free PyMem_RawFree"
ALL = " ".join([*ASKING, GROWING, GIVING]).split()
MEMORY = re.compile(rf"(?<![\w.>:])({'|'.join(ALL)})\(")
OF_CYTHON = re.compile(r"\b(?:CYTHON_\w+|inline|static)\b")

PROLOGUE = """\
#include <stddef.h>
#include <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
#if defined(_WIN32)
#define POLYMASK_SEEN __declspec(dllexport)
#else
#define POLYMASK_SEEN __attribute__((visibility("default")))
#endif
#if defined(__GNUC__)
#define POLYMASK_TWIN __attribute__((unused, cold))
#define POLYMASK_COLD __attribute__((noinline, cold, unused))
#else
#define POLYMASK_TWIN
#define POLYMASK_COLD
#endif
extern POLYMASK_SEEN int polymask_watching;
extern POLYMASK_SEEN char polymask_names[], polymask_off[];
extern POLYMASK_SEEN ptrdiff_t polymask_entered[];
extern POLYMASK_SEEN ptrdiff_t polymask_asked, polymask_given_back, polymask_bytes;
int polymask_watching;
ptrdiff_t polymask_asked, polymask_given_back, polymask_bytes;
#ifdef __cplusplus
}
#define POLYMASK_ZERO {}
#else
#define POLYMASK_ZERO {0}
#endif
POLYMASK_COLD static int polymask_enter(int k)
{
    __atomic_fetch_add(&polymask_entered[k], 1, __ATOMIC_RELAXED);
    return polymask_off[k];
}
static inline void *polymask_asks(void *p, size_t n)
{
    if (p) {
        __atomic_fetch_add(&polymask_asked, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&polymask_bytes, (ptrdiff_t)n, __ATOMIC_RELAXED);
    }
    return p;
}
static inline void *polymask_gives(void *p)
{
    if (p)
        __atomic_fetch_add(&polymask_given_back, 1, __ATOMIC_RELAXED);
    return p;
}
"""


def instrumented(text, methods=()):
    """Return a C file of Cython's as one that counts.

    Each function gets a twin that counts and can be switched off, and calls twins. What C alone
    calls stays as fast as it was; what Python calls, and methods, ask first whether they are
    watched.

    Parameters
    ----------
    text : str
    methods : sequence of str
        Of C++: a call that stands as a statement can be left out.
    """
    found = [match for match in FUNCTION.finditer(text) if arguments(match[3]) is not None]
    names = [f"{CALL}{name}" for name in methods] + [match[2] for match in found]
    made, end = [], 0
    for number, match in enumerate(found, start=len(methods)):
        returns, name, takes, body = match.groups()
        body = MEMORY.sub(r"polymask_\1(", body)
        if not number - len(methods):
            made += [text[: match.start()], *(f"{head(one)};\n" for one in found)]
        else:
            made.append(text[end : match.start()])
        made.append(f"{head(match)} {{\n  if (polymask_enter({number})) {leave(returns, name)}\n")
        made += [twins(body, set(names), methods), "}\n\n", text[match.start() : match.start(4)]]
        if not name.startswith("__pyx_f_") or len(parts(name)[0]) > MODULE:
            call = f"{name}{TWIN}({', '.join(arguments(takes))})"
            back = f"{{ {call}; return; }}" if plain(returns) == "void" else f"return {call};"
            made.append(f"  if (polymask_watching) {back}\n")
        made.append(body)
        end = match.end(4)
    return "".join([*prologue(names), *made, text[end:]])


def head(match):
    """Return the head of a function's twin."""
    return f"POLYMASK_TWIN static {match[1]}{match[2]}{TWIN}({match[3]})"


def arguments(takes):
    """Return the names of parameters; None where they are hard to tell."""
    if "(" in takes or "..." in takes:
        return None
    found = [one.strip() for one in takes.split(",") if one.strip() not in ("", "void")]
    names = [re.search(r"(\w+)$", one) for one in found]
    return [name[1] for name in names] if all(names) else None


def twins(body, names, methods):
    """Return a function's body that calls twins, and methods of C++ only where they are not off."""
    for number, method in enumerate(methods):
        call = rf"^( *)((?:[^\n;{{}}]*?)(?:->|\.){method}\([^\n;]*\);)$"
        body = re.sub(call, rf"\1if (!polymask_enter({number})) \2", body, flags=re.M)
    return CALLED.sub(lambda call: f"{call[1]}{TWIN}(" if call[1] in names else call[0], body)


def plain(returns):
    """Return the type of a result, without what Cython says beside."""
    return " ".join(OF_CYTHON.sub("", returns).split())


def leave(returns, name):
    """Return the statement by which a function that is off is left at once."""
    if parts(name)[1] == "__cinit__":  # it makes nothing, and says so
        return '{ PyErr_SetString(PyExc_RuntimeError, "nothing is made now"); return -1; }'
    kind = plain(returns)
    if kind == "void":
        return "return;"
    if kind == "PyObject *":
        return "{ Py_INCREF(Py_False); return Py_False; }"
    if "__pyx_obj" in kind:
        return '{ PyErr_SetString(PyExc_RuntimeError, "nothing is done now"); return NULL; }'
    return f"{{ {kind} polymask_nothing = POLYMASK_ZERO; return polymask_nothing; }}"


def prologue(names):
    """Return what stands before all: what is counted, by the names of C."""
    yield PROLOGUE
    held = "\\n".join(names)
    yield '#ifdef __cplusplus\nextern "C" {\n#endif\n'
    yield f'char polymask_names[] = "{held}", polymask_off[{len(names) + 1}];\n'
    yield f"ptrdiff_t polymask_entered[{len(names) + 1}];\n"
    yield "#ifdef __cplusplus\n}\n#endif\n"
    for those, (takes, n_bytes) in ASKING.items():
        for name in those.split():
            yield f"#define polymask_{name}({takes}) polymask_asks({name}({takes}), {n_bytes})\n"
    for name in GROWING.split():
        grown = f"{name}(polymask_gives(p), n)"
        yield f"#define polymask_{name}(p, n) polymask_asks({grown}, (n))\n"
    for name in GIVING.split():
        yield f"#define polymask_{name}(...) {name}(polymask_gives(__VA_ARGS__))\n"
