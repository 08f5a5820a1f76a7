"""Run lines that set and read attributes, and compare their effects with task and predictions."""

from ladder.workshop.sandbox import classes
from ladder.workshop.sandbox.check_failed import CheckFailed

UNCHANGED = "must stay unchanged: only C sees its n, and Python cannot add attributes"
NAME = "its name cannot be set to a text or None: declare it for Python, too"
LINES = (  # a class, a line about x, an object of it, whether the line works, and what to do if not
    ("Closed", "x.n", False, UNCHANGED),
    ("Closed", "x.name = 'a'", False, UNCHANGED),
    ("Counted", "x.n", True, "Python does not see n: fields are hidden unless declared otherwise"),
    ("Counted", "assert 2 * x.n == x.twice()", True, "Python reads another n than C has"),
    ("Counted", "x.n = 7", False, "Python can set n, but should only read it"),
    ("Counted", "x.name = 'a'", False, "Python can add a name: remove the __dict__ or the field"),
    ("Named", "x.name = 40 * 'ä'; assert x.name == 40 * 'ä'", True, NAME),
    ("Named", "x.name = None; assert x.name is None", True, NAME),
    ("Named", "x.name = 4", False, "its name can be 4: declare its type, a text"),
    ("Named", "x.nam = 'a'", False,
     "`nam`, a misspelled name, is accepted: a declared field needs no __dict__"),
    ("Named", "x.n", False, "Python sees n, which is for C only"),
    ("Open", "x.own = [7]", True, "`own` cannot be set: declare a __dict__ in the class"),
    ("Open", "x.own = [7]; assert vars(x) == {'own': [7]}", True, "`own` is not in its `vars`"),
    ("Open", "x.n = x.twice(); assert x.twice() == x.n", True,
     "Python's `n` changes the field n, which is for C only"),
)  # fmt: skip
PREDICTIONS = 13  # lines of PREDICTED in the starter


def check(answer, random):
    """Raise `CheckFailed` at the first class that behaves differently, or at a wrong prediction."""
    n = random.randrange(2**40, 2**50)  # more than an int holds
    for name in ("Closed", "Counted", "Named", "Open"):
        classes.check_extension_type(answer, name, closed=False)
        if (twice := getattr(answer, name)(n).twice()) != 2 * n:
            raise CheckFailed(
                f"{name}({n}).twice(): expected {2 * n}, got {twice}: is its n still a Py_ssize_t?"
            )
    for name, line, works, advice in LINES:
        if (exception_of(line, {"x": getattr(answer, name)(n)}) is None) != works:
            raise CheckFailed(f"{name}: {advice}")
    if len(answer.PREDICTED) < PREDICTIONS:
        raise CheckFailed(
            f"PREDICTED: some of its {PREDICTIONS} lines are missing; `reset` restores them"
        )
    names = vars(answer) | {"Derived": type("Derived", (answer.Closed,), {})}
    for line, prediction in answer.PREDICTED.items():
        exception = exception_of(line, names)
        if prediction is ...:
            raise CheckFailed(f"PREDICTED has no prediction for `{line}`: None or an exception")
        kind = type(prediction) if isinstance(prediction, Exception) else prediction
        name = str(getattr(kind, "__name__", kind))  # of a class, or a text
        if name != (exception.__name__ if exception else "None"):
            raise CheckFailed(
                f"PREDICTED: the result of `{line}` is not {name}: try it, then think about why"
            )


def exception_of(line, names):
    """Run a line; return the class of the exception that it raises, or None."""
    try:
        exec(line, dict(names))
    except Exception as error:
        return type(error)
    return None
