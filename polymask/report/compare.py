"""Two results held against each other: what differs in their origin, and which rows changed.

Times say something only where machine and polygon are the same. Ratios within a run may be held
against those of another machine: there the machine stands in numerator and denominator.
"""

from dataclasses import dataclass

from polymask.bench.result import API_FRESH
from polymask.common import confidence
from polymask.ladder import registry
from polymask.report import origin, table

# What differs between any two runs, and explains nothing by itself.
CHANCE = ("date", "load average", "other work before")
FEW, SAME, MORE, LESS, DRIFT = "too few samples", "within the noise", "more", "less", "drift"


@dataclass(frozen=True)
class Change:
    """A number of a row in both results, or of a row and of the one before."""

    key: str
    against: str | None  # the row that is the other side of the ratio; None for the row's own time
    first: float
    second: float
    samples: int  # the fewest that one of them rests on
    ratio: float | None  # how many times as fast the second is, or as large its ratio
    ci95: tuple[float, float] | None  # its bootstrap interval
    verdict: str | None  # one of FEW, SAME, MORE, LESS and DRIFT


def pairs(results):
    """Return pairs of places: a result's, and before it the first's of the same work."""
    found, firsts = [], []
    for place, result in enumerate(results):
        partner = next((p for p in firsts if _work(results[p]) == _work(result)), None)
        if partner is None:
            firsts.append(place)
        else:
            found.append((partner, place))
    return found


def _work(result):
    """Return what was measured: a polygon on an image, and with peers or without."""
    kept = result.workload
    return kept.polygon_sha256, kept.shape, result.with_peers


def same_machine(first, second):
    """Whether the records cannot be told apart by the machine."""
    return _machine(first) == _machine(second)


def _machine(result):
    """Return what tells machines apart; memory in whole GiB, as the kernel keeps some of it."""
    one = result.machine
    memory = round((one.ram_bytes or 0) / 2**30)
    return one.cpu, one.architecture, one.cores, one.virtual_machine, memory


def differences(first, second):
    """Return what differs in machine, software, commit and workload: (name, first's, second's)."""
    found = []
    for fields in (origin.machine, origin.workload):
        ours, theirs = fields(first), fields(second)
        for name in ours | theirs:
            both = [one.get(name, "not recorded") for one in (ours, theirs)]
            if both[0] != both[1]:
                found.append((name, *both))
    return found


def causes(changed):
    """Leave out of `differences` what differs between any two runs."""
    return [change for change in changed if not change[0].startswith(CHANCE)]


def row_differences(first, second):
    """Return in words which rows were measured otherwise, or in one result only."""
    ours, theirs = ({row.key: row for row in table.ordered(one)} for one in (first, second))
    found = []
    for key in ours | theirs:
        if key not in ours or key not in theirs:
            found.append(f"{key}: only in {'B' if key in theirs else 'A'}.")
            continue
        for name, row in (("A", ours[key]), ("B", theirs[key])):
            if not row.ok:
                found.append(f"{key}: {row.status} in {name}: {row.reason}")
        for field in ("options", "threads", "mask"):
            mine, other = (origin.text(field, getattr(row[key], field)) for row in (ours, theirs))
            if mine != other:
                found.append(f"{key}: {field} {mine} in A, {other} in B.")
    return found


def only(first, second):
    """Return which rows have a time in the first result only, and which in the second only."""
    ours, theirs = _good(first), _good(second)
    return [key for key in ours if key not in theirs], [key for key in theirs if key not in ours]


def drift(first, second):
    """How many times as long the probe took in the second run; None if one has none."""
    before, after = (result.yardstick.probe_s for result in (first, second))
    return after / before if before and after else None


def times(first, second):
    """Hold each row's times against each other; with ratios only where machines are the same."""
    comparable, found = same_machine(first, second), []
    # what the machine itself did to a fixed piece of work is no row's change
    allowance = sorted((1.0, 1 / (drift(first, second) or 1.0)))
    for one, other in _both(first, second):
        numbers = one.median_s, other.median_s, min(one.samples, other.samples)
        judged = (None, None, None)
        if comparable:
            ratio, ci95 = confidence.ratio(one.samples_s, other.samples_s)
            judged = ratio, ci95, verdict(ci95, allowance)
        found.append(Change(one.key, None, *numbers, *judged))
    return found


def gains(first, second):
    """Hold each row's ratios within its run against each other, on whatever machines.

    The ratios are those to the base, to the rung before, and of libraries to `polygon_mask`.
    """
    found = []
    ours, theirs = _good(first), _good(second)
    for one, other in _both(first, second):
        wanted = [API_FRESH] if one.kind == "peer" else [registry.BASE, one.before]
        for against in dict.fromkeys(wanted):
            if against == one.key or against not in ours or against not in theirs:
                continue
            mine = (ours[against].samples_s, one.samples_s)
            its = (theirs[against].samples_s, other.samples_s)
            ratio, ci95 = confidence.ratio_of_ratios(mine, its)
            values = (confidence.median_ratio(*mine), confidence.median_ratio(*its))
            samples = min(map(len, (*mine, *its)))
            found.append(Change(one.key, against, *values, samples, ratio, ci95, verdict(ci95)))
    return found


def verdict(ci95, allowance=(1.0, 1.0)):
    """Judge a ratio by its interval: beyond the noise when one is not in it.

    `allowance` is what the machine's own drift explains: an interval that meets it is DRIFT.
    """
    if ci95 is None:
        return FEW
    low, high = ci95
    if low <= 1 <= high:
        return SAME
    if low <= allowance[1] and high >= allowance[0]:
        return DRIFT
    return MORE if low > 1 else LESS


def _good(result):
    return {row.key: row for row in table.ordered(result) if row.ok}


def _both(first, second):
    """Return the rows that both have times of."""
    theirs = _good(second)
    return [(row, theirs[key]) for key, row in _good(first).items() if key in theirs]
