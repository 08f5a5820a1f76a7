"""Sets attributes from Python, and holds what happens against what was to be, and was predicted."""

from polymask.workshop.sandbox import classes
from polymask.workshop.sandbox.wrong import Wrong

CLASSES = ("Closed", "Counted", "Named", "Open")
OPEN = "Ellipsis"  # a line of which nothing is predicted, yet
LINES = (
    "Closed(3).n",
    "Closed(3).name = 'a'",
    "Closed(3).n = 4",
    "Counted(3).n",
    "Counted(3).n = 4",
    "Named(3).name = 'a'",
    "Named(3).name = None",
    "Named(3).name = 4",
    "Named(3).nam = 'a'",
    "Open(3).nam = 'a'",
    "Open(3).n = 4",
    "Derived(3).name = 'a'",
    "Derived(3).n",
)


def check(answer, random):
    """Raise `Wrong` at the first class that behaves otherwise, then at the first prediction."""
    for name in CLASSES:
        classes.check_extension_type(answer, name, closed=False)
    n = random.randrange(10, 10**6)
    for name in CLASSES:
        check_common(name, getattr(answer, name), n)
    check_closed(answer.Closed(n))
    check_counted(answer.Counted(n), n)
    check_named(answer.Named(n))
    check_open(answer.Open, n, random)
    check_predictions(answer)


def happens(module, lines):
    """Return for each line the type of the exception that it raises, or None."""
    classes = dict(vars(module)) | {"Derived": type("Derived", (module.Closed,), {})}
    return [what_happens(line, dict(classes)) for line in lines]


def what_happens(line, names):
    """Run a line; return the type of the exception, or None."""
    try:
        exec(line, names)
    except Exception as error:
        return type(error)
    return None


def predicted(module):
    """Return the predictions, line to the name of an exception, or "None"."""
    return {str(line): named(said) for line, said in dict(module.PREDICTED).items()}


def named(said):
    """Return the name of an exception, given as a class, as an object, or as a text."""
    if isinstance(said, type):
        return said.__name__
    if isinstance(said, BaseException):
        return type(said).__name__
    return said.strip() if isinstance(said, str) else repr(said)


def check_common(name, cls, n):
    """Raise `Wrong` unless it is a class of C's that keeps n."""
    if cls(n).twice() != 2 * n:
        raise Wrong(f"{name}({n}).twice(): expected {2 * n}, got {cls(n).twice()}")


def check_closed(closed):
    """Raise `Wrong` unless the class that was given is as it was."""
    if hasattr(closed, "n") or can_set(closed, "name", "a"):
        raise Wrong("Closed is to stay as it was: only C sees its n, and Python can add nothing")


def check_counted(counted, n):
    """Raise `Wrong` unless Python reads n, and nothing more."""
    if not hasattr(counted, "n"):
        raise Wrong("Counted: Python does not see n; a field is hidden unless it is declared so")
    if counted.n != n:
        raise Wrong(f"Counted({n}).n is {counted.n}")
    if can_set(counted, "n", 7):
        raise Wrong("Counted: Python may set n, and was to read it only")
    if can_set(counted, "name", "a"):
        raise Wrong("Counted: Python may add a name: there is a __dict__, or a field too many")


def check_named(named):
    """Raise `Wrong` unless a name, and nothing else, may be set."""
    for value in ("a", "ä" * 40, None):
        if not can_set(named, "name", value):
            raise Wrong(f"Named: its name cannot be set to {value!r}: declare it for Python, too")
        if named.name != value:
            raise Wrong(f"Named: its name was set to {value!r}, and is {named.name!r}")
    if can_set(named, "name", 4):
        raise Wrong("Named: its name may be 4: declare its type, and Cython refuses all others")
    if can_set(named, "nam", "a"):
        raise Wrong("Named: `nam`, a misspelled name, is taken: a declared field needs no __dict__")
    if hasattr(named, "n"):
        raise Wrong("Named: Python sees n, which was for C only")


def check_open(cls, n, random):
    """Raise `Wrong` unless whatever is put there stays, for each object alone."""
    found = cls(n)
    name = "a" + str(random.randrange(10**6))
    if not can_set(found, name, [n]):
        raise Wrong(f"Open: {name!r} cannot be set: it needs a __dict__, which is declared, too")
    shown = getattr(found, "__dict__", None)
    if getattr(found, name) != [n] or shown != {name: [n]}:
        raise Wrong(f"Open: {name!r} was set to [{n}], and `vars` shows {shown}")
    if hasattr(cls(n), name):
        raise Wrong("Open: an attribute of one object is seen in another")
    found.n = 1
    if found.twice() != 2 * n:
        raise Wrong("Open: Python's `n` is the field of C's: the field was for C only")


def can_set(thing, name, value):
    """Set an attribute; say whether it went."""
    try:
        setattr(thing, name, value)
    except (AttributeError, TypeError):
        return False
    return True


def check_predictions(answer):
    """Raise `Wrong` at the first line that does something else than was predicted."""
    said = predicted(answer)
    for line, seen in zip(LINES, happens(answer, LINES), strict=True):
        if said.get(line, OPEN) == OPEN:
            raise Wrong(f"PREDICTED says nothing of `{line}`: None, or which exception?")
        if said[line] != (seen.__name__ if seen else "None"):
            raise Wrong(
                f"PREDICTED: `{line}` does not give {said[line]}: try it, then think about why"
            )
