"""Invalid polygons, points and lines that are left out of a set of polygons."""

from collections import Counter

MOST = 5  # reasons in a message


class LeftOut(Counter):
    """The numbers of points and lines that were left out, by kind, and of invalid polygons.

    Parameters
    ----------
    takes_invalid : bool
        Whether invalid polygons are left out, too, instead of raising their errors.

    Attributes
    ----------
    reasons : dict of int to str
        Why part or all of a polygon was left out, by the polygon's number.
    """

    def __init__(self, takes_invalid=True):
        super().__init__()
        self.takes_invalid = takes_invalid
        self.reasons = {}
        self._number = None

    def of(self, number):
        """Return this object, for counting the points and lines of a polygon."""
        self._number = number
        return self

    def __setitem__(self, reason, count):
        super().__setitem__(reason, count)
        if self._number is not None:
            self.reasons.setdefault(self._number, reason)

    def add_invalid(self, number, error, name="polygon"):
        """Note an invalid polygon, with the error that it raised, or raise the error."""
        if not self.takes_invalid:
            error_class = TypeError if isinstance(error, TypeError) else ValueError
            raise error_class(f"{name} {number}: {error}") from None
        super().__setitem__("invalid polygon", self["invalid polygon"] + 1)
        self.reasons[number] = str(error)

    def text(self):
        """Return a line with the polygons' numbers and the reasons."""
        first = [f"{number} ({reason})" for number, reason in list(self.reasons.items())[:MOST]]
        more = [f"and {len(self.reasons) - MOST} more"] * (len(self.reasons) > MOST)
        return f"polygons left out, in whole or in part: {', '.join([*first, *more])}"
