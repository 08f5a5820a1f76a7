"""The speed-up that a student expects: asked for, read as people write numbers, and drawn."""

import math
import re
import unicodedata

from polymask import devices
from polymask.contract import Unavailable
from polymask.ladder import registry
from polymask.report import figures
from polymask.report.charts import drawing, two_values
from polymask.workshop.student import progress

STEM = "predictions"  # of the pictures beside progress.txt
FORMS = ("png", "svg")
LINE = re.compile(r"prediction:(.*)", re.I)
REST = re.compile(r"(\"\"\"|'''|\*/|#|//|;|\().*")  # of a line: its comment, or the docstring's end
LONG = 60  # letters: no number has so many
BEFORE = re.compile(
    r"^(about|around|roughly|approx(imately)?\.?|circa|ca\.?|c\.|maybe|[~≈x×]|\s)+", re.I
)
AFTER = re.compile(r"([x×?!]|-?fold|times|as|fast(er)?|\s)+$", re.I)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
SEPARATORS = {",": r"\.", r"\.": ",", "[ '_]": "[.,]"}  # of thousands, and then the decimal one
DIGITS = r"(?:\d+\.?\d*|\.\d+)"
NUMBER = re.compile(rf"([-+]?{DIGITS}(?:e[-+]?\d+)?)(k?)")
POWER = re.compile(r"10(?:\^|\*\*)([-+]?\d+)")
SHARE = re.compile(rf"({DIGITS})/({DIGITS})")
ASKED = "write how many times as fast, like 10, 2.5 or 1e3"


def read(said):
    """Return the number that somebody wrote.

    Commas before three digits each separate thousands, another comma is a decimal one; so for
    spaces and apostrophes, and for points where there are several. Around it may stand ~, about, x
    or times. A `ValueError` says why it cannot be understood, and what to write.
    """
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda one: "^" + one[0].translate(RAISED), said.strip())
    text = "".join(_simple(letter) for letter in text)
    if "%" in text:
        raise ValueError(f"a percentage is not clear, 20 % may be 0.2 or 1.2 times: {ASKED}")
    value = None
    if len(text) <= LONG:
        value = number(plain(AFTER.sub("", BEFORE.sub("", text))).lower())
    if value is None:
        raise ValueError(f"that is not one number: {ASKED}")
    low, high = progress.SPEEDUPS
    if not low <= value <= high:
        raise ValueError(f"that is not between {low:g} and {high:,.0f}: {ASKED}")
    return value


def _simple(letter):
    if letter.isdecimal():  # of any script
        return str(unicodedata.decimal(letter))
    return " " if letter.isspace() else {"−": "-", "’": "'"}.get(letter, letter)


def plain(text):
    """Return a number's text without what separates thousands, and with a decimal point."""
    for mark, decimal in SEPARATORS.items():
        groups = rf"[1-9]\d{{0,2}}(?:{mark}\d{{3}})+"
        found = re.fullmatch(rf"({groups})((?:{decimal}\d+)?)(k?)", text)
        if found and not re.fullmatch(r"\d+\.\d+k?", text):  # 1.000 is one
            return re.sub(mark, "", found[1]) + found[2].replace(",", ".") + found[3]
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


def number(text):
    """Return the value of a plain text, or None."""
    if found := NUMBER.fullmatch(text):
        return float(found[1]) * (1000 if found[2] else 1)
    if found := POWER.fullmatch(text):
        return 10.0 ** min(max(int(found[1][:9]), -99), 99)
    if found := SHARE.fullmatch(text):
        return float(found[1]) / float(found[2]) if float(found[2]) else math.inf
    return None


def written(value):
    """Write a prediction with all of its digits: 2.5, 1,000; none is an empty text."""
    return "" if value is None else f"{value:,.10g}"


def in_files(exercise, there):
    """Return the text after `prediction:` in a student's files, or None if there is none yet."""
    for name in exercise.files:
        file = there / name
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        if found := LINE.search(text):
            said = REST.sub("", found[1]).strip()
            return None if said in ("", "?") else said
    return None


def terms(exercise):
    """Return in words what a speed-up is measured against, on what, and by how many threads."""
    speed = exercise.speed
    before = speed.before or speed.functions.get("before", "the way before")
    yours, theirs = (means(key) for key in (exercise.speed.solution, exercise.speed.before))
    by = f"each by {yours}" if yours == theirs else f"yours by {yours}, {before} by {theirs}"
    return f"as {before}, on {speed.what}, {by}"


def means(key):
    """Return what a rung computes by, in words: threads, or a device."""
    if key is None:
        return figures.count(1, "thread")
    rung = registry.get(key)
    if rung.device:
        return f"the {devices.KINDS[rung.device]} device"
    try:
        return figures.count(rung.threads(), "thread")
    except Unavailable:  # the check will say why
        return "threads"


def draw(where, names):
    """Draw predicted against measured beside progress.txt, unless that was done since it changed.

    Returns the pictures' files; none where nothing that was predicted has been measured.
    """
    lines, shown = progress.load(where), progress.shown(where)
    done = [(n, lines[n].prediction, lines[n].best or shown.get(n)) for n in names]
    done = [one for one in done if all(one)]
    files = [where / f"{STEM}.{form}" for form in FORMS]
    changed = (where / progress.FILE).stat().st_mtime_ns
    if done and all(file.exists() and file.stat().st_mtime_ns > changed for file in files):
        return files
    return drawing.save(two_values.draw_predictions(done), where / STEM, FORMS) if done else []
