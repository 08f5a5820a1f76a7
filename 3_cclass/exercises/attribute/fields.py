"""What Python sees of the fields of each class, and what it may put there."""

from polymask.workshop.sandbox.wrong import Wrong


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
