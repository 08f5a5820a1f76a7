"""The verdict on a measured speed, in words; `sandbox.timing` measures it."""

from ladder.workshop.sandbox.timing import BUSY_SHIFT, SLOW, UNCLEAR, verdict
from polymask.common import figures

WORDS = {  # for a ratio: its description, and the formats of the ratio and of its interval
    "times_before": ("{} times as fast as {before}", figures.stated, figures.of_ratio),
    "of_solution": (
        "{} of the solution's speed", "{:.0%}".format, lambda ends: "{:.0%}–{:.0%}".format(*ends)
    ),
}  # fmt: skip
ALIKE = "no clear difference from the solution ({} of its speed)"
GAIN = 1.3  # the smallest gain of the solution itself that lets an answer's gain be judged


def gains(result):
    """Whether the solution itself gains enough over `before` to judge the gain of an answer."""
    seconds = result["seconds"]
    known = "solution" in seconds and "before" in seconds
    return not known or seconds["before"] >= GAIN * seconds["solution"]


def judge(outcome, target, others):
    """Set an outcome's verdict on its speed; `others` describes programs that use the machine."""
    if target.gains and not gains(outcome.speed):
        outcome.untimed = (
            f"the solution itself is not {GAIN:g} times as fast as {target.baseline} here"
        ) + (f", because {others}" if others else "")
        return
    speed_verdict = verdict(outcome.speed, target, BUSY_SHIFT if others else 1.0)
    if speed_verdict == SLOW:
        outcome.passed, outcome.message = False, too_slow(outcome.speed, target)
    elif speed_verdict == UNCLEAR:
        outcome.untimed = (
            f"the machine is busy, as {others}" if others else "the times vary too much"
        )


def describe(result, target):
    """Describe a speed by its ratios, with their intervals."""
    return ", ".join(
        ALIKE.format(interval(ends))
        if name == "of_solution" and ends[0] <= 1 <= ends[1]
        else f"{text.format(write(result[name]), before=target.baseline)} ({interval(ends)})"
        for name, (text, write, interval) in WORDS.items()
        if (ends := result["between"].get(name))
    )


def too_slow(result, target):
    """Return a message about a right answer that is too slow."""
    parts = [
        f"{text.format(write(result[name]), before=target.baseline)}, "
        f"at least {write(getattr(target, name))} required"
        for name, (text, write, _) in WORDS.items()
        if result[name] is not None and result[name] < getattr(target, name)
    ]
    return f"the answers are right, but too slow: {'; '.join(parts)}"
