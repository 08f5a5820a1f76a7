"""Text in a page that is written by hand: between marks, of which the first names what it is of."""

import re
from pathlib import Path

from polymask.common import saving, stdin_io

BEGIN, END = "<!-- table of {} -->", "<!-- end of table -->"
MARKS = re.compile(
    r"<!-- table of (?P<of>[^\n]+?) -->(?P<end>\r?\n)(?P<text>.*?)<!-- end of table -->", re.S
)


def rewrite(page, write):
    """Write what is between marks again.

    `write` makes of a name the name to note now, and the text; or None of what shall stay.

    What is outside of them stays as it is, byte for byte, and ends of lines are the page's own.

    Raises `ValueError` if the page has no marks, or is no text in UTF-8.
    """
    with stdin_io.named(str(page)):
        content = stdin_io.content(Path(page).absolute())  # - is a name like others here
    try:
        old = content.decode()
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ValueError(f"{page} is no text in UTF-8, in line {line}: save it as UTF-8") from None
    if not MARKS.search(old):
        raise ValueError(f"{page} has no marks to write between: {BEGIN.format('...')} and {END}")

    def between(found):
        made = write(found["of"])
        if made is None:
            return found[0]
        name, text = made
        return f"{BEGIN.format(name)}\n{text}{END}".replace("\n", found["end"])

    saving.write(page, MARKS.sub(between, old))
