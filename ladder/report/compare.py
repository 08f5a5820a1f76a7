"""A comparison of two results: the differences in their origin, and the rows that changed.

Times are comparable only with the same machine and polygon. Ratios within a run are comparable
across machines, as the machine is in both numerator and denominator.
"""

from dataclasses import dataclass

from ladder import registry
from ladder.bench.result import API_FRESH
from ladder.common import confidence
from ladder.report import origin, table

# Fields that differ between any two runs, and explain no change by themselves.
CHANCE = ("date", "load average", "other work before")
FEW, SAME, MORE, LESS, DRIFT = "too few samples", "within the noise", "more", "less", "drift"


@dataclass(frozen=True)
class Change:
    """A number of a row in both results: its time, or its ratio to another row."""

    key: str
    against: str | None  # the other row of the ratio; None for the row's own time
    first: float
    second: float
    samples: int  # the smallest number of samples behind the two values
    ratio: float | None  # first time / second time, or second ratio / first ratio
    ci95: tuple[float, float] | None  # its bootstrap interval
    verdict: str | None  # one of FEW, SAME, MORE, LESS and DRIFT


def pairs(results):
    """Return pairs of indices: a result, after the first result of the same work."""
    partners, firsts = [], []
    for place, result in enumerate(results):
        partner = next((p for p in firsts if _work(results[p]) == _work(result)), None)
        if partner is None:
            firsts.append(place)
        else:
            partners.append((partner, place))
    return partners


def _work(result):
    """Return the measured work: the polygon, the image, and whether there are peers."""
    workload = result.workload
    return workload.polygon_sha256, workload.shape, result.with_peers


def same_machine(first, second):
    """Return whether both records describe the same machine."""
    return _machine(first) == _machine(second)


def _machine(result):
    """Return the identity of a machine, with memory in GiB, as the kernel reserves some of it."""
    machine = result.machine
    memory = round((machine.ram_bytes or 0) / 2**30)
    cores = machine.cores, machine.cpu_quota
    return machine.cpu, machine.architecture, cores, machine.virtual_machine, memory


def differences(first, second):
    """Return differing fields of machine, software, commit and workload: (name, first, second)."""
    rows = []
    for fields in (origin.machine, origin.workload):
        ours, theirs = fields(first), fields(second)
        for name in ours | theirs:
            both = [record.get(name, "not recorded") for record in (ours, theirs)]
            if both[0] != both[1]:
                rows.append((name, *both))
    return rows


def causes(changed):
    """Return the `differences` without fields that differ between any two runs."""
    return [change for change in changed if not change[0].startswith(CHANCE)]


def row_differences(first, second):
    """Describe the rows that were measured differently, or in one result only."""
    ours, theirs = ({row.key: row for row in table.ordered(result)} for result in (first, second))
    remarks = []
    for key in ours | theirs:
        if key not in ours or key not in theirs:
            remarks.append(f"{key}: only in {'B' if key in theirs else 'A'}.")
            continue
        for name, row in (("A", ours[key]), ("B", theirs[key])):
            if not row.ok:
                remarks.append(f"{key}: {row.status} in {name}: {row.reason}")
        for field in ("options", "threads", "mask"):
            mine, other = (origin.text(field, getattr(row[key], field)) for row in (ours, theirs))
            if mine != other:
                remarks.append(f"{key}: {field} {mine} in A, {other} in B.")
    return remarks


def only(first, second):
    """Return the keys with a time in the first result only, and in the second only."""
    ours, theirs = _timed_rows(first), _timed_rows(second)
    return [key for key in ours if key not in theirs], [key for key in theirs if key not in ours]


def drift(first, second):
    """Return the ratio of the probe's times, second / first; None if one has none."""
    before, after = (result.yardstick.probe_s for result in (first, second))
    return after / before if before and after else None


def times(first, second):
    """Compare each row's times; ratios are computed only for the same machine."""
    comparable, changes = same_machine(first, second), []
    # a change in the time of the probe, a fixed piece of work, is due to the machine
    allowance = sorted((1.0, 1 / (drift(first, second) or 1.0)))
    for row, other in _common_rows(first, second):
        numbers = row.median_s, other.median_s, min(row.samples, other.samples)
        judgement = (None, None, None)
        if comparable:
            ratio, ci95 = confidence.ratio(row.samples_s, other.samples_s)
            judgement = ratio, ci95, verdict(ci95, allowance)
        changes.append(Change(row.key, None, *numbers, *judgement))
    return changes


def gains(first, second):
    """Compare each row's ratios within its run, on any two machines.

    The ratios are those to the base and to the rung's `before`, or to `polygon_mask` for libraries.
    """
    changes = []
    ours, theirs = _timed_rows(first), _timed_rows(second)
    for row, other in _common_rows(first, second):
        bases = [API_FRESH] if row.kind == "peer" else [registry.BASE, row.before]
        for against in dict.fromkeys(bases):
            if against == row.key or against not in ours or against not in theirs:
                continue
            in_first = (ours[against].samples_s, row.samples_s)
            in_second = (theirs[against].samples_s, other.samples_s)
            ratio, ci95 = confidence.ratio_of_ratios(in_first, in_second)
            values = (confidence.median_ratio(*in_first), confidence.median_ratio(*in_second))
            samples = min(map(len, (*in_first, *in_second)))
            changes.append(Change(row.key, against, *values, samples, ratio, ci95, verdict(ci95)))
    return changes


def verdict(ci95, allowance=(1.0, 1.0)):
    """Return the verdict on a ratio: a change if 1 is outside its interval.

    `allowance` is the range that the machine's drift explains; an interval overlapping it is DRIFT.
    """
    if ci95 is None:
        return FEW
    low, high = ci95
    if low <= 1 <= high:
        return SAME
    if low <= allowance[1] and high >= allowance[0]:
        return DRIFT
    return MORE if low > 1 else LESS


def _timed_rows(result):
    return {row.key: row for row in table.ordered(result) if row.ok}


def _common_rows(first, second):
    """Return pairs of rows with times in both results."""
    theirs = _timed_rows(second)
    return [(row, theirs[key]) for key, row in _timed_rows(first).items() if key in theirs]
