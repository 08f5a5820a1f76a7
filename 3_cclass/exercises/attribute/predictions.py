"""What each line does, held against what was predicted; predictions are not to be tried out."""

from polymask.workshop.sandbox.failures import Failed
from polymask.workshop.sandbox.watching import Watched
from polymask.workshop.sandbox.wrong import Wrong

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


def check_predictions(answer):
    """Raise `Wrong` at the first line that does something else than was predicted."""
    predicted = answer.inside("predicted")
    check_foreseen(answer, predicted)
    for line, seen in zip(LINES, answer.inside("happens", LINES), strict=True):
        if predicted.get(line, OPEN) == OPEN:
            raise Wrong(f"PREDICTED says nothing of `{line}`: None, or which exception?")
        if predicted[line] != (seen.__name__ if seen else "None"):
            raise Wrong(
                f"PREDICTED: `{line}` does not give {predicted[line]}: try it, then think about why"
            )


def check_foreseen(answer, predicted):
    """Raise `Wrong` if predictions are others where no object can be made: they were tried out."""
    watched = Watched(answer)
    names = [one.name for one in watched.made.functions if one.name.endswith("__cinit__")]
    without = answer.under("unmade", unmade={"file": watched.file, "names": names})
    try:
        otherwise = without.inside("predicted")
    except Failed:  # the file makes objects, to try something else perhaps
        return
    if otherwise != predicted:
        raise Wrong(
            "PREDICTED is worked out by trying the lines: write down what you expect, and let the "
            "check try"
        )
