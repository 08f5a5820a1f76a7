"""Looks whether the masks come from toggle, and whose loop that has."""

from polymask.workshop.sandbox.translated import Translated, check_loop
from polymask.workshop.sandbox.wrong import Wrong


def check(answer, random):
    """Raise `Wrong` if the mask is right but not by toggle, or if that is no loop of Cython's."""
    made = Translated()
    if not any("toggle" in one.body for one in made.reached("make_mask")):
        raise Wrong(
            "the masks are right, but not by toggle, which make_mask does not call: it is to call "
            "it for each edge"
        )
    check_loop(made.reached("toggle"), "toggle", "the rows")
