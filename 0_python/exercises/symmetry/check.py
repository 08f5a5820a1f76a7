"""Make the masks of bugs.py for the student's polygon."""

from ladder.workshop.sandbox.check_failed import CheckFailed

from .bugs import hidden

HINTS = {
    "exchanged_coordinates": "the mask must change if x and y are exchanged",
    "exchanged_sizes": "in a square image, the number of rows is that of the columns",
    "upside_down": "the upper half of the mask must not mirror the lower half",
    "integer_vertices": "a coordinate needs a fraction, large enough to change a pixel",
    "clipped_vertices": "a vertex must lie outside the image, or it stays where it is",
}


def check(answer, random):
    """Raise `CheckFailed` if the polygon hides a bug."""
    try:
        names = hidden(answer.VERTICES, answer.SHAPE)
    except (TypeError, ValueError) as error:
        raise CheckFailed(f"there is no mask of VERTICES and SHAPE: {error}") from None
    if names:
        raise CheckFailed(f"your polygon hides {', '.join(names)}; the first: {HINTS[names[0]]}")
