"""Sets attributes from Python: what happens is compared with the task, and the predictions."""

from polymask.workshop.sandbox import classes
from polymask.workshop.sandbox.check_failed import CheckFailed

LINES = 13  # of PREDICTED, as they are handed out


def check(answer, random):
    """Raise `CheckFailed` at the first class that behaves otherwise, or at a prediction."""
    n = random.randrange(10, 10**6)
    for name in ("Closed", "Counted", "Named", "Open"):
        classes.check_extension_type(answer, name, closed=False)
        if (twice := getattr(answer, name)(n).twice()) != 2 * n:
            raise CheckFailed(f"{name}({n}).twice(): expected {2 * n}, got {twice}")
    if hasattr(closed := answer.Closed(n), "n") or can_set(closed, "name", "a"):
        raise CheckFailed(
            "Closed is to stay as it was: only C sees its n, and Python can add nothing"
        )
    check_counted(answer.Counted(n), n)
    check_named(answer.Named(n))
    check_open(answer.Open(n), answer.Open(n), n)
    check_predictions(answer)


def check_counted(counted, n):
    """Raise `CheckFailed` unless Python reads n, and nothing more."""
    if not hasattr(counted, "n"):
        raise CheckFailed(
            "Counted: Python does not see n; a field is hidden unless it is declared so"
        )
    if counted.n != n:
        raise CheckFailed(f"Counted({n}).n is {counted.n}")
    if can_set(counted, "n", 7):
        raise CheckFailed("Counted: Python may set n, and was to read it only")
    if can_set(counted, "name", "a"):
        raise CheckFailed(
            "Counted: Python may add a name: there is a __dict__, or a field too many"
        )


def check_named(named):
    """Raise `CheckFailed` unless a name, and nothing else, may be set."""
    for value in ("a", "ä" * 40, None):
        if not can_set(named, "name", value) or named.name != value:
            raise CheckFailed(
                f"Named: its name cannot be set to {value!r}: declare it for Python, too"
            )
    if can_set(named, "name", 4):
        raise CheckFailed(
            "Named: its name may be 4: declare its type, and Cython refuses all others"
        )
    if can_set(named, "nam", "a"):
        raise CheckFailed(
            "Named: `nam`, a misspelled name, is taken: a declared field needs no __dict__"
        )
    if hasattr(named, "n"):
        raise CheckFailed("Named: Python sees n, which was for C only")


def check_open(one, other, n):
    """Raise `CheckFailed` unless what is put there stays, for each object alone."""
    if not can_set(one, "own", [n]):
        raise CheckFailed("Open: `own` cannot be set: it needs a __dict__, which is declared, too")
    if vars(one) != {"own": [n]} or hasattr(other, "own"):
        raise CheckFailed(
            f"Open: `own` was set to [{n}] in one object, and `vars` shows {vars(one)}"
        )
    one.n = 1
    if one.twice() != 2 * n:
        raise CheckFailed("Open: Python's `n` is the field of C's: the field was for C only")


def can_set(thing, name, value):
    """Set an attribute; return whether it was taken."""
    try:
        setattr(thing, name, value)
    except (AttributeError, TypeError):
        return False
    return True


def check_predictions(answer):
    """Raise `CheckFailed` at the first line that does something else than was predicted."""
    if len(answer.PREDICTED) < LINES:
        raise CheckFailed(f"PREDICTED: of its {LINES} lines some are gone; `reset` puts them back")
    for line, said in answer.PREDICTED.items():
        names = vars(answer) | {"Derived": type("Derived", (answer.Closed,), {})}
        seen = None
        try:
            exec(line, names)
        except Exception as error:
            seen = type(error)
        if said is ...:
            raise CheckFailed(f"PREDICTED says nothing of `{line}`: None, or which exception?")
        kind = type(said) if isinstance(said, Exception) else said
        name = str(getattr(kind, "__name__", kind))  # of a class, or a text
        if name != (seen.__name__ if seen else "None"):
            raise CheckFailed(
                f"PREDICTED: `{line}` does not give {name}: try it, then think about why"
            )
