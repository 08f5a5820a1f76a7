"""The main outcome of a result: the fastest row, and surprises."""

from ladder import registry
from ladder.common import confidence
from ladder.report import limits, peers
from polymask.common import figures

PLAINLY = 0.8  # times as fast: a smaller ratio is slower even without an interval


def headline(result):
    """Describe the main outcome of a result; empty if no row has a time."""
    if comparison := peers.notes(result)[:1]:
        return comparison[0]
    rows = [row for row in result.rows if row.ok and row.kind != "reference"]
    if not rows:
        return ""
    best = min(rows, key=lambda row: row.median_s)
    text = f"{best.key} makes this mask in {figures.seconds(best.median_s)}"
    base = result.timed.get(registry.BASE) or max(rows, key=lambda row: row.median_s)
    if base is not best:
        text += f", {_times_as_fast(best, base)} times as fast as {base.key}"
    if best.times_yardstick:
        ratio = figures.grouped(figures.ratio(best.times_yardstick, best.samples))
        text += f". It takes {ratio} times as long as filling the mask with ones"
    return f"{text}."


def surprises(result):
    """Return a sentence for each unexpected outcome.

    These are rows that are slower, beyond the noise, than the rung that their lesson starts from,
    and plain Python with a better algorithm that beats threads or a device.
    """
    sentences = []
    rows = [
        f"{row.key} ({_times_as_fast(row, before)} times as fast as {before.key})"
        for row, before in slower(result)
    ]
    if rows:
        keys = figures.listed(rows)
        sentences.append(f"Slower than the rung that the lesson starts from: {keys}.")
    if pair := _algorithm(result):
        plain, other = pair
        sentences.append(
            f"{plain.key}, with only Python and NumPy, is {_times_as_fast(plain, other)} times as "
            f"fast as {other.key}, because it does less work."
        )
    return sentences


def slower(result):
    """Return pairs of rows: a rung that is slower than its `before`, and that."""
    rows, slow = result.timed, []
    for row in rows.values():
        before = rows.get(row.before)
        if before and row.speedup_before and row.speedup_before < 1:
            _, ci95 = confidence.ratio(before.samples_s, row.samples_s)
            if ci95[1] < 1 if ci95 else row.speedup_before < PLAINLY:
                slow.append((row, before))
    return slow


def _algorithm(result):
    """Return an interpreted row of another algorithm, and the best threaded row that it beats."""
    rows = [row for row in result.rows if row.ok and row.key in registry.BY_KEY]
    rows.sort(key=lambda row: row.median_s)
    plain = [row for row in rows if row.other_algorithm and registry.get(row.key).interpreted]
    parallel = [row for row in rows if row.changes in ("threads", "device")]
    parallel = [row for row in parallel if not row.other_algorithm]
    slower = [row for row in parallel if plain and row.median_s > plain[0].median_s / PLAINLY]
    return (plain[0], slower[0]) if slower else None


def to_explain(result):
    """Return the key of the row to explain: the last of the `slower` rows, or the fastest row."""
    limited = limits.of_result(result)
    rows = [row for row in result.rows if row.key in limited]
    slow = [row for row, _ in slower(result) if row in rows]
    order = [*reversed(slow), *sorted(rows, key=lambda row: row.median_s)]
    return order[0].key if order else None


def _times_as_fast(row, other):
    """Write how many times as fast as `other` a row is."""
    return figures.grouped(peers.times_as_fast(row, other))
