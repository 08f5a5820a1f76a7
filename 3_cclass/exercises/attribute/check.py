"""Set attributes from Python, and compare the effects with the task and the predictions."""

from ladder.workshop.sandbox import classes
from ladder.workshop.sandbox.check_failed import CheckFailed

LINES = 13  # of PREDICTED in the starter


def check(answer, random):
    """Raise `CheckFailed` at the first class that behaves differently, or at a wrong prediction."""
    n = random.randrange(2**40, 2**50)  # more than an int holds
    for name in ("Closed", "Counted", "Named", "Open"):
        classes.check_extension_type(answer, name, closed=False)
        if (twice := getattr(answer, name)(n).twice()) != 2 * n:
            raise CheckFailed(
                f"{name}({n}).twice(): expected {2 * n}, got {twice}: is its n still a Py_ssize_t?"
            )
    if hasattr(closed := answer.Closed(n), "n") or can_set(closed, "name", "a"):
        raise CheckFailed(
            "Closed must stay unchanged: only C sees its n, and Python cannot add attributes"
        )
    check_counted(answer.Counted(n), n)
    check_named(answer.Named(n))
    check_open(answer.Open(n), answer.Open(n), n)
    check_predictions(answer)


def check_counted(counted, n):
    """Raise `CheckFailed` unless Python can read n but change nothing."""
    if not hasattr(counted, "n"):
        raise CheckFailed(
            "Counted: Python does not see n: fields are hidden unless declared otherwise"
        )
    if counted.n != n:
        raise CheckFailed(f"Counted({n}).n is {counted.n}")
    if can_set(counted, "n", 7):
        raise CheckFailed("Counted: Python can set n, but should only read it")
    if can_set(counted, "name", "a"):
        raise CheckFailed(
            "Counted: Python can add a name: remove the __dict__ or the additional field"
        )


def check_named(named):
    """Raise `CheckFailed` unless the name can be set, and nothing else."""
    for value in ("a", "ä" * 40, None):
        if not can_set(named, "name", value) or named.name != value:
            raise CheckFailed(
                f"Named: its name cannot be set to {value!r}: declare it for Python, too"
            )
    if can_set(named, "name", 4):
        raise CheckFailed(
            "Named: its name can be 4: declare its type, and Cython rejects all others"
        )
    if can_set(named, "nam", "a"):
        raise CheckFailed(
            "Named: `nam`, a misspelled name, is accepted: a declared field needs no __dict__"
        )
    if hasattr(named, "n"):
        raise CheckFailed("Named: Python sees n, which is for C only")


def check_open(instance, other, n):
    """Raise `CheckFailed` unless each object keeps its own attributes."""
    if not can_set(instance, "own", [n]):
        raise CheckFailed("Open: `own` cannot be set: declare a __dict__ in the class")
    if vars(instance) != {"own": [n]} or hasattr(other, "own"):
        raise CheckFailed(
            f"Open: `own` was set to [{n}] in one object, but its `vars` are {vars(instance)}"
        )
    instance.n = 1
    if instance.twice() != 2 * n:
        raise CheckFailed("Open: Python's `n` changes the field n, which is for C only")


def can_set(instance, name, value):
    """Set an attribute, and return whether this succeeded."""
    try:
        setattr(instance, name, value)
    except (AttributeError, TypeError):
        return False
    return True


def check_predictions(answer):
    """Raise `CheckFailed` at the first line whose effect differs from the prediction."""
    if len(answer.PREDICTED) < LINES:
        raise CheckFailed(
            f"PREDICTED: some of its {LINES} lines are missing; `reset` restores them"
        )
    for line, prediction in answer.PREDICTED.items():
        names = vars(answer) | {"Derived": type("Derived", (answer.Closed,), {})}
        exception = None
        try:
            exec(line, names)
        except Exception as error:
            exception = type(error)
        if prediction is ...:
            raise CheckFailed(f"PREDICTED has no prediction for `{line}`: None or an exception")
        kind = type(prediction) if isinstance(prediction, Exception) else prediction
        name = str(getattr(kind, "__name__", kind))  # of a class, or a text
        if name != (exception.__name__ if exception else "None"):
            raise CheckFailed(
                f"PREDICTED: the result of `{line}` is not {name}: try it, then think about why"
            )
