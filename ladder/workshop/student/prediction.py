"""The speed-up that a student predicts: where it is written, how it is read, and its terms."""

import re

from ladder import devices, registry
from ladder.workshop.student import progress
from polymask.common import figures
from polymask.contract import Unavailable

LINE = re.compile(r"prediction:(.*)", re.I)
TRAILING = re.compile(r"(\"\"\"|'''|\*/|#|//|;|\().*")  # a comment, or the end of a docstring
NUMBER = re.compile(r"[~≈]?\s*((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(k?)\s*(?:x|×|times)?", re.I)
ADVICE = "write how many times as fast, such as 10, 2.5 or 1e3"


def read(answer):
    """Return the number in a student's text: a plain one, or with k, ~, x or times around it.

    A comma is refused, as it is a decimal point to some and separates thousands to others. Raises a
    `ValueError` that explains the mistake.
    """
    text = answer.strip()
    if re.search(r"\d,\d", text):
        raise ValueError(f"a comma is ambiguous (1,000 may mean 1 or 1000): {ADVICE}")
    if "%" in text:
        raise ValueError(f"a percentage is ambiguous (20 % may mean 0.2 or 1.2 times): {ADVICE}")
    if not (match := NUMBER.fullmatch(text)):
        raise ValueError(f"that is not a single number: {ADVICE}")
    value = float(match[1]) * (1000 if match[2] else 1)
    low, high = progress.SPEEDUPS
    if not low <= value <= high:
        raise ValueError(f"that is not between {low:g} and {high:,.0f}: {ADVICE}")
    return value


def written(value):
    """Format a prediction with all of its digits; None is an empty text."""
    return "" if value is None else f"{value:.10g}"


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
