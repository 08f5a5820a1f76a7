"""Doubts about a result: disturbed rows, rows with few samples, a busy machine."""

from ladder.bench import summary
from ladder.common import busy, confidence
from polymask.common import figures


def notes(result):
    """Return a sentence for each kind of doubt about a result."""
    interrupted = "Interrupted: rows without a time were not measured yet."
    sentences = [interrupted if result.interrupted else ""]
    sentences += [busy_before(result), noisy(result), few(result), settings(result)]
    if result.machine.commit_unknown:
        sentences.append(f"The commit is unknown: {result.machine.commit_unknown}.")
    # pixels off the edges have only one right value, so a library that differs there is wrong
    flags = [(row.key, flag) for row in result.rows for flag in row.flags]
    differing = [f"{key}: {flag}" for key, flag in flags if flag.startswith(summary.DIFFERS)]
    return [*filter(None, sentences), *differing]


def busy_before(result):
    """Describe the load of other programs when the run began; empty if it was low."""
    before = result.machine.busy_before
    if not (before and before.busy):
        return ""
    if before.cores_used is None:
        load = f"a load average of {result.machine.load_before:.1f}"
    else:
        cores = figures.count(result.machine.affinity, "core")
        load = f"other programs used {before.cores_used:.1f} of {cores}"
        if (before.cores_stolen or 0) > busy.STOLEN:
            load += f", and the virtual machine's host withheld {before.cores_stolen:.1f}"
    return f"The machine was busy when the run began ({load}): {busy.MEANING}."


def settings(result):
    """List the environment variables that change the speed of compiled code."""
    if not result.machine.settings:
        return ""
    settings = [f"{name}={value}" for name, value in result.machine.settings.items()]
    return f"The environment changes the speed of rungs: {figures.listed(settings)}."


def noisy(result):
    """List the disturbed rows, and explain the cause and the remedy."""
    keys = [row.key for row in result.rows if row.disturbed]
    if not keys:
        return ""
    measured = sum(row.ok for row in result.rows)
    most = 2 * len(keys) > measured > 2
    rows = f"{len(keys)} of {measured} rows" if most else figures.listed(keys)
    return (
        f"Noisy: {rows}. Their samples vary widely (the median is over {summary.NOISY:g} times "
        "the minimum), or other programs used the core. Treat small differences as noise, or "
        "measure again on a quiet machine."
    )


def few(result):
    """List the rows that have too few samples for an interval."""
    counts = {row.key: row.samples for row in result.rows if "few samples" in row.flags}
    if not counts:
        return ""
    rows = figures.listed([f"{key} ({count})" for key, count in counts.items()])
    return (
        f"Fewer than {confidence.ENOUGH} samples: {rows}. These are too few for an interval, and "
        "their ratios have only two digits."
    )
