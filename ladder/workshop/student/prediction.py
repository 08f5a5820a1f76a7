"""The speed-up that a student predicts: reading it as people write numbers, and drawing it."""

import re

from ladder import devices, registry
from ladder.report.charts import drawing, two_values
from ladder.workshop.student import progress
from polymask.common import figures
from polymask.contract import Unavailable

STEM = "predictions"  # of the pictures beside progress.txt
FORMS = ("png", "svg")
LINE = re.compile(r"prediction:(.*)", re.I)
TRAILING = re.compile(r"(\"\"\"|'''|\*/|#|//|;|\().*")  # a comment, or the end of a docstring
MOST_CHARACTERS = 60  # in a number
PREFIX = re.compile(
    r"^(about|around|roughly|approx(imately)?\.?|circa|ca\.?|c\.|maybe|[~≈x×]|\s)+", re.I
)
SUFFIX = re.compile(r"([x×?!]|-?fold|times|as|fast(er)?|\s)+$", re.I)
SEPARATORS = {",": r"\.", r"\.": ",", "[ '_]": "[.,]"}  # of thousands; the decimal mark with each
DIGITS = r"(?:\d+\.?\d*|\.\d+)"
NUMBER = re.compile(rf"([-+]?{DIGITS}(?:e[-+]?\d+)?)(k?)")
ADVICE = "write how many times as fast, such as 10, 2.5 or 1e3"


def read(answer):
    """Return the number in a student's text.

    A comma before each group of three digits separates thousands; any other comma is a decimal
    point. Spaces, apostrophes and repeated points separate thousands, too. The text may have ~,
    about, x or times around the number. Raises a `ValueError` that explains the mistake.
    """
    text = re.sub(r"\s", " ", answer.strip()).replace("−", "-").replace("’", "'")
    if "%" in text:
        raise ValueError(f"a percentage is ambiguous (20 % may mean 0.2 or 1.2 times): {ADVICE}")
    value = None
    if len(text) <= MOST_CHARACTERS:
        value = number(plain(SUFFIX.sub("", PREFIX.sub("", text))).lower())
    if value is None:
        raise ValueError(f"that is not a single number: {ADVICE}")
    low, high = progress.SPEEDUPS
    if not low <= value <= high:
        raise ValueError(f"that is not between {low:g} and {high:,.0f}: {ADVICE}")
    return value


def plain(text):
    """Return a number's text with a decimal point and without thousands separators."""
    for mark, decimal in SEPARATORS.items():
        groups = rf"[1-9]\d{{0,2}}(?:{mark}\d{{3}})+"
        match = re.fullmatch(rf"({groups})((?:{decimal}\d+)?)(k?)", text)
        if match and not re.fullmatch(r"\d+\.\d+k?", text):  # 1.000 is 1
            return re.sub(mark, "", match[1]) + match[2].replace(",", ".") + match[3]
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


def number(text):
    """Return the value of a number's plain text, or None if it is not a number."""
    if match := NUMBER.fullmatch(text):
        return float(match[1]) * (1000 if match[2] else 1)
    return None


def written(value):
    """Format a prediction with all of its digits: 2.5, 1,000; None is an empty text."""
    return "" if value is None else f"{value:,.10g}"


def in_files(exercise, folder):
    """Return the text after `prediction:` in a student's files, or None."""
    for name in exercise.files:
        file = folder / name
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        if match := LINE.search(text):
            prediction = TRAILING.sub("", match[1]).strip()
            return None if prediction in ("", "?") else prediction
    return None


def terms(exercise):
    """Describe the terms of a speed-up: the baseline, the work, and the threads."""
    speed = exercise.speed
    yours, others = (means(key) for key in (exercise.speed.solution, exercise.speed.before))
    by = (
        f"each with {yours}"
        if yours == others
        else f"yours with {yours}, {speed.baseline} with {others}"
    )
    return f"as {speed.baseline}, on {speed.what}, {by}"


def means(key):
    """Describe what a rung computes with: threads, or a device."""
    if key is None:
        return figures.count(1, "thread")
    rung = registry.get(key)
    if rung.device:
        return f"the {devices.KINDS[rung.device]} device"
    try:
        return figures.count(rung.threads(), "thread")
    except Unavailable:  # the check will explain it
        return "threads"


def draw(where, names):
    """Draw measured against predicted speed-ups beside progress.txt, if that has changed.

    Returns the files of the pictures; none if no exercise has both numbers.
    """
    lines, speedups = progress.load(where), progress.last_speedups(where)
    rows = [(n, lines[n].prediction, lines[n].best or speedups.get(n)) for n in names]
    rows = [row for row in rows if all(row)]
    files = [where / f"{STEM}.{form}" for form in FORMS]
    changed = (where / progress.FILE).stat().st_mtime_ns
    if rows and all(file.exists() and file.stat().st_mtime_ns > changed for file in files):
        return files
    return drawing.save(two_values.draw_predictions(rows), where / STEM, FORMS) if rows else []
