"""What a reader should doubt: rows that were disturbed, rows with few samples, a busy machine."""

from polymask.bench import summary
from polymask.common import busy, confidence
from polymask.report import figures


def notes(found):
    """Return a sentence for each kind of doubt that a result gives rise to."""
    interrupted = "Interrupted: rows without a time were not measured yet."
    sentences = [interrupted if found.interrupted else ""]
    sentences += [busy_before(found), noisy(found), few(found), settings(found)]
    if found.machine.commit_unknown:
        sentences.append(f"The commit is not known: {found.machine.commit_unknown}.")
    # where there is only one right answer, and a library's mask has another
    flags = [(row.key, flag) for row in found.rows for flag in row.flags]
    differing = [f"{key}: {flag}" for key, flag in flags if flag.startswith(summary.DIFFERS)]
    return [*filter(None, sentences), *differing]


def busy_before(found):
    """Say that other programs used the machine when the run began."""
    before = found.machine.busy_before
    if not (before and before.busy):
        return ""
    if before.cores_used is None:
        seen = f"a load average of {found.machine.load_before:.1f}"
    else:
        cores = figures.count(found.machine.affinity, "core")
        seen = f"other programs used {before.cores_used:.1f} of {cores}"
        if (before.cores_stolen or 0) > busy.STOLEN:
            seen += f", and the virtual machine's host withheld {before.cores_stolen:.1f}"
    return f"The machine was busy when the run began ({seen}): {busy.MEANING}."


def settings(found):
    """Name the variables that change how fast compiled code is."""
    if not found.machine.settings:
        return ""
    set_to = figures.listed([f"{name}={value}" for name, value in found.machine.settings.items()])
    return f"The environment changes how fast rungs are: {set_to}."


def noisy(found):
    """Name the rows that something disturbed; say what that means, and what to do."""
    keys = [row.key for row in found.rows if row.disturbed]
    if not keys:
        return ""
    every = len(keys) > 1 and len(keys) == sum(row.ok for row in found.rows)
    rows = "every row" if every else figures.listed(keys)
    return (
        f"Noisy: {rows}. Their samples lie far apart (a median over {summary.NOISY:g} times "
        "the least), or something else held the core: take small differences for noise, or measure "
        "again when nothing else runs."
    )


def few(found):
    """Name the rows that have too few samples for an interval."""
    counts = {row.key: row.samples for row in found.rows if "few samples" in row.flags}
    if not counts:
        return ""
    rows = figures.listed([f"{key} ({count})" for key, count in counts.items()])
    return (
        f"Fewer than {confidence.ENOUGH} samples: {rows}. That is too few for an interval, and "
        "their ratios have two digits."
    )
