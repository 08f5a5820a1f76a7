"""Generated text between two marks in a hand-written page; the first mark names the content."""

import re
from pathlib import Path

from polymask.common import saving, stdin_io

BEGIN, END = "<!-- table of {} -->", "<!-- end of table -->"
MARKS = re.compile(
    r"<!-- table of (?P<of>[^\n]+?) -->(?P<end>\r?\n)(?P<text>.*?)<!-- end of table -->", re.S
)


def rewrite(page, write):
    """Rewrite the text between marks.

    `write` maps a mark's name to its new name and text, or to None to keep the current text.

    The text outside the marks does not change, and the new text has the page's line ends.

    Raises `ValueError` if the page has no marks, or is not UTF-8 text.
    """
    with stdin_io.named(str(page)):
        content = stdin_io.content(Path(page).absolute())  # "-" is an ordinary name here
    try:
        old = content.decode()
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ValueError(f"{page} is not UTF-8 text: line {line}. Save it as UTF-8") from None
    if not MARKS.search(old):
        raise ValueError(f"{page} has no marks to write between: {BEGIN.format('...')} and {END}")

    def between(match):
        replacement = write(match["of"])
        if replacement is None:
            return match[0]
        name, text = replacement
        return f"{BEGIN.format(name)}\n{text}{END}".replace("\n", match["end"])

    saving.write(page, MARKS.sub(between, old))
