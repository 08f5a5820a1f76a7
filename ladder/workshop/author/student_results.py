"""Students' results from untrusted files; an invalid file does not affect the others.

Texts from students are shown only if they are short and printable.
"""

import itertools
import unicodedata
from dataclasses import replace
from pathlib import Path

from ladder.workshop.student import progress
from polymask.common.error_text import named

MOST_BYTES = 1_000_000
MOST_LETTERS = 80
FORMULA = "=+-@＝＋－＠"  # first characters of formulas in a spreadsheet


def load(folder):
    """Read every .json of a folder.

    Returns a dict from file name to `progress.Results`, and a line for each file that is refused,
    is older than another of the same student, or has the name of another.
    """
    students, remarks = {}, []
    for file in sorted(Path(folder).iterdir()):
        if file.suffix.lower() != ".json":
            continue
        name = named(file.name)
        try:
            who = clean(file.stem, "cannot be shown: its name ")
            results = read(file)
        except OSError as error:
            remarks.append(f"skipped: {name} cannot be read: {error.strerror}")
            continue
        except ValueError as error:
            remarks.append(f"skipped: {name} {error}")
            continue
        if who in students:
            numbers = (f"{who} ({number})" for number in itertools.count(2))
            other, who = who, next(free for free in numbers if free not in students)
            remarks.append(f"{name} is shown as {who}, because another file is called {other}")
        students[who] = results
    remarks += drop_older(students)
    return students, remarks


def drop_older(students):
    """Keep the newest file of each student, which has the most checks; return a line per other."""

    def identity(who):
        return students[who].student or (who,)  # files of older versions have no number

    in_time = sorted(students, key=lambda who: students[who].effort)
    newest = {identity(who): who for who in in_time}
    remarks = []
    for who in in_time:
        other = newest[identity(who)]
        if other != who:
            remarks.append(f"{who} is left out: {other} is newer, and of the same student")
    for who in set(in_time) - set(newest.values()):
        del students[who]
    return remarks


def read(file):
    """Read a file's `progress.Results`; raise `ValueError` or `OSError` if it is invalid."""
    try:
        results = progress.read(contents(file))
        texts = {name: getattr(results.machine, name) for name in ("cpu", "python")}
        cleaned = {name: text and clean(text, f"its {name} ") for name, text in texts.items()}
    except ValueError as error:
        raise ValueError(f"is not a results.json of a workshop: {error}") from None
    return replace(results, machine=replace(results.machine, **cleaned))


def contents(file):
    """Return the bytes of a small regular file; reject pipes and links."""
    if file.is_symlink():
        raise ValueError("it is a link: copy the file itself there")
    if not file.is_file():
        raise ValueError("it is not a regular file")
    with file.open("rb") as opened:
        content = opened.read(MOST_BYTES)
    if len(content) == MOST_BYTES:
        raise ValueError(f"it has {MOST_BYTES:,} bytes or more")
    return content


def clean(text, what):
    """Return a text that is safe to show after escaping; a `ValueError` begins with `what`.

    It is one line of at most `MOST_LETTERS` printable characters, and no formula.
    """
    if len(text) > MOST_LETTERS:
        raise ValueError(f"{what}has {len(text):,} characters; at most {MOST_LETTERS} are shown")
    if not text.isprintable():
        raise ValueError(f"{what}has characters that cannot be printed")
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if not text:
        raise ValueError(f"{what}is empty")
    return f"'{text}" if text[0] in FORMULA else text
