"""The outcome of `polymask bench --against` in words: table, notes, and one sentence."""

from polymask.bench import wilcoxon
from polymask.report import figures, tables

COARSE = 0.1  # a difference that could go unseen, if it is so large, is worth a hint


def table(compared, revision):
    """Make the table, as rich renders it."""
    rows = []
    for row in compared:
        known = row.estimate
        times = figures.seconds(row.there_s), figures.seconds(row.here_s)
        ratio = f"{known.ratio:.3f}", f"{known.low:.3f}–{known.high:.3f}"
        rows.append((row.key, *times, *ratio, str(len(row.pairs_s)), verdict(known)))
    numbers = (revision, "here", "ratio", f"{100 * wilcoxon.CONFIDENCE:g} %", "pairs")
    first, last = (tables.Heading(text, words=True) for text in ("row", "verdict"))
    made = tables.Table("", (first, *map(tables.Heading, numbers), last), rows)
    return tables.for_terminal(made, wrap="ellipsis", box=None, pad_edge=False)


def verdict(known):
    """Say what an estimate means; where nothing was seen, how large a difference may be."""
    if known.verdict == wilcoxon.SAME:
        return f"{wilcoxon.SAME} (at most {percent(known.unseen)})"
    return known.verdict


def percent(part):
    """Write a part of 1: 4.2 %."""
    return f"{figures.digits(100 * part, 2)} %"


def headline(compared, revision):
    """Say in a sentence what came out."""
    named = {
        verdict: [row.key for row in compared if row.estimate.verdict == verdict]
        for verdict in (wilcoxon.SLOWER, wilcoxon.FASTER)
    }
    found = [f"{verdict}: {figures.listed(keys)}" for verdict, keys in named.items() if keys]
    said = "; ".join(found) or f"{wilcoxon.SAME} at this many pairs"
    return f"This checkout, against {revision}: {said}."


def notes(comparison, others, revision):
    """Say what the table does not: rows that are not in it, and how sure it is.

    `others` are the keys of rungs that the other commit alone has.
    """
    compared = comparison.outcome()
    found = [f"{row.key} is {row.status}: {row.reason}" for row in comparison.rows if row.reason]
    found += [f"{key} is skipped: {revision} alone has it" for key in others]
    if few := [row.key for row in comparison.able() if row.key not in {c.key for c in compared}]:
        found.append(f"Too few pairs for an interval: {figures.listed(few)}.")
    if compared:
        found.append(
            f"Ratio: time here over time there. In {100 * wilcoxon.CONFIDENCE:g} of 100 runs all "
            "intervals hold the truth. Slower or faster is said where the whole interval is beyond "
            f"{percent(wilcoxon.LEAST)}."
        )
    coarse = [
        row.key
        for row in compared
        if row.estimate.verdict == wilcoxon.SAME and row.estimate.unseen > COARSE
    ]
    if coarse:
        found.append(
            f"A difference of {percent(COARSE)} could hide in the noise of {figures.listed(coarse)}"
            ": --seconds gives more pairs, a quieter machine better ones."
        )
    return found
