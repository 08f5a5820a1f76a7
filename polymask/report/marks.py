"""Text in a page that is written by hand: between marks, of which the first names what it is of."""

import re
from pathlib import Path

from polymask import saving

BEGIN, END = "<!-- table of {} -->", "<!-- end of table -->"
MARKS = re.compile(r"<!-- table of (?P<of>[^\n]+?) -->\n(?P<text>.*?)<!-- end of table -->", re.S)


def rewrite(page, write):
    """Write what is between marks again.

    `write` makes of a name the name to note now, and the text; or None of what shall stay.

    Raises `ValueError` if the page has no marks.
    """
    old = Path(page).read_text(encoding="utf-8")
    if not MARKS.search(old):
        raise ValueError(f"{page} has no marks to write between: {BEGIN.format('...')} and {END}")

    def between(found):
        made = write(found["of"])
        if made is None:
            return found[0]
        name, text = made
        return f"{BEGIN.format(name)}\n{text}{END}"

    saving.write(page, MARKS.sub(between, old))
