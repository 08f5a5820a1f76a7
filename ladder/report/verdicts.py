"""The outcome of `polymask bench --against`: table, notes, and one sentence."""

from ladder.bench import wilcoxon
from ladder.report import tables
from polymask.common import figures

COARSE = 0.1  # a note warns if a larger difference could be undetected


def table(compared, revision):
    """Return the table for rich."""
    rows = []
    for row in compared:
        estimate = row.estimate
        times = figures.seconds(row.there_s), figures.seconds(row.here_s)
        ratio = f"{estimate.ratio:.3f}", f"{estimate.low:.3f}–{estimate.high:.3f}"
        rows.append((row.key, *times, *ratio, str(len(row.pairs_s)), verdict(estimate)))
    numbers = (revision, "here", "ratio", f"{100 * wilcoxon.CONFIDENCE:g} %", "pairs")
    first, last = (tables.Heading(text, words=True) for text in ("row", "verdict"))
    content = tables.Table("", (first, *map(tables.Heading, numbers), last), rows)
    return tables.for_terminal(content, wrap="ellipsis", box=None, pad_edge=False)


def verdict(estimate):
    """Return the verdict of an estimate; if there is none, with the largest possible difference."""
    if estimate.verdict == wilcoxon.SAME:
        return f"{wilcoxon.SAME} (at most {percent(estimate.unseen)})"
    return estimate.verdict


def percent(part):
    """Write a part of 1: 4.2 %."""
    return f"{figures.digits(100 * part, 2)} %"


def headline(compared, revision):
    """Return the outcome in a sentence."""
    keys_of = {
        verdict: [row.key for row in compared if row.estimate.verdict == verdict]
        for verdict in (wilcoxon.SLOWER, wilcoxon.FASTER)
    }
    parts = [f"{verdict}: {figures.listed(keys)}" for verdict, keys in keys_of.items() if keys]
    outcome = "; ".join(parts) or f"{wilcoxon.SAME} at this many pairs"
    return f"This checkout, against {revision}: {outcome}."


def notes(comparison, others, revision):
    """Return notes on the table: missing rows, and the confidence of its verdicts.

    `others` are the keys of rungs that exist at the other commit only.
    """
    compared = comparison.outcome()
    lines = [f"{row.key} is {row.status}: {row.reason}" for row in comparison.rows if row.reason]
    lines += [f"{key} is skipped: only {revision} has it" for key in others]
    if few := [row.key for row in comparison.able() if row.key not in {c.key for c in compared}]:
        lines.append(f"Too few pairs for an interval: {figures.listed(few)}.")
    if compared:
        lines.append(
            "Ratio: time here divided by time there. In "
            f"{100 * wilcoxon.CONFIDENCE:g} of 100 runs, all intervals contain the true ratio. A "
            f"row is slower or faster if its whole interval is beyond {percent(wilcoxon.LEAST)}."
        )
    coarse = [
        row.key
        for row in compared
        if row.estimate.verdict == wilcoxon.SAME and row.estimate.unseen > COARSE
    ]
    if coarse:
        lines.append(
            f"A difference of {percent(COARSE)} could hide in the noise of {figures.listed(coarse)}"
            ". Set --seconds for more pairs, or use a quieter machine for better ones."
        )
    return lines
