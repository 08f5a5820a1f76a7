"""Two results side by side: differences in their origin, and rows whose numbers changed.

Times are comparable only with the same machine and polygon. Ratios within a run are comparable
across machines, as the machine is in both numerator and denominator.
"""

from dataclasses import dataclass

from rich.text import Text

from ladder import registry
from ladder.bench.result import API_FRESH
from ladder.common import confidence
from ladder.report import origin, table, text_table
from polymask.common import figures, saving

FEW, SAME, DRIFT = "too few samples", "within the noise", "no more than the machine's drift"
NOISE = (
    "A change is beyond the noise if the 95 % bootstrap interval of the ratio excludes 1. Of "
    "twenty unchanged rows, about one is called changed by chance. The interval reflects only the "
    "noise within each run. Another run of the same program can differ by far more if the load of "
    "the machine or the set of rows differs: before you believe a change, measure both again in "
    "the same way."
)
SAME_MACHINE = (
    "The records name the same machine (CPU, cores, memory), so times are compared. Two machines "
    "of the same kind have the same record."
)
TWO_MACHINES = (
    "Two machines: times are shown side by side but not compared. Only ratios within a run are "
    "comparable."
)


@dataclass(frozen=True)
class Change:
    """A number of a row in both results: its time, or its ratio to another row."""

    key: str
    against: str | None  # the other row of the ratio; None for the row's own time
    first: float
    second: float
    samples: int  # the smallest number of samples behind the two values
    ratio: float | None = None  # first time / second time, or second ratio / first ratio
    ci95: tuple[float, float] | None = None  # its bootstrap interval
    verdict: str = ""

    def cells(self, write):
        """Return the texts for a table; `write` writes the two values."""
        return (
            self.key,
            self.verdict,
            *filter(None, [self.against]),
            write(self.first),
            write(self.second),
            figures.ratio(self.ratio, self.samples),
            figures.of_ratio(self.ci95),
        )


@dataclass(frozen=True)
class Pair:
    """The comparison of two results."""

    title: str
    labels: tuple[str, str]  # A and B: file, CPU, date, commit
    sentences: list[str]  # on comparable numbers, and on the meaning of a change
    remarks: list[str]  # on rows measured differently, or in one result only
    tables: list[text_table.Table]


def partners(results):
    """Return pairs of indices: the first result of some work, and a later result of the same."""
    found, firsts = [], {}
    for place, result in enumerate(results):
        workload = result.workload
        work = workload.polygon_sha256, tuple(workload.shape), result.with_peers
        if work in firsts:
            found.append((firsts[work], place))
        else:
            firsts[work] = place
    return found


def pairs(named):
    """Return a `Pair` for all results of the same work; `named` has `results.Named`."""
    return [
        pair(named[a].result, named[b].result, (named[a].name, named[b].name))
        for a, b in partners([entry.result for entry in named])
    ]


def pair(first, second, names):
    """Compare two results of the same polygon; `names` are the names of their files."""
    changes = gains(first, second)
    based = [change for change in changes if change.against == registry.BASE]
    others = [change for change in changes if change.against != registry.BASE]
    sections = [
        text_table.make(
            "Differences between A and B", ("", "A", "B"), 3, differences(first, second)
        ),
        _times_table(first, second),
        _gains_table(f"Speed-ups over {registry.BASE}", based),
        _gains_table("Speed-ups over the rungs that lessons start from", others),
    ]
    return Pair(
        title=f"{names[0]} and {names[1]}",
        labels=tuple(
            f"{letter}: {name}, {_origin(result)}"
            for letter, name, result in zip("AB", names, (first, second), strict=True)
        ),
        sentences=_sentences(first, second),
        remarks=row_differences(first, second),
        tables=[section for section in sections if section.rows],
    )


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


def row_differences(first, second):
    """Describe the rows that were measured differently, or in one result only."""
    ours, theirs = ({row.key: row for row in table.ordered(result)} for result in (first, second))
    remarks = []
    for name, rows, others in (("A", ours, theirs), ("B", theirs, ours)):
        if only := [key for key in rows if key not in others]:
            remarks.append(f"Only in {name}: {figures.listed(only)}.")
        remarks += [f"{r.key}: {r.status} in {name}: {r.reason}" for r in rows.values() if not r.ok]
    for key in filter(theirs.get, ours):
        for field in ("options", "threads", "mask"):
            mine, other = (origin.text(field, getattr(row[key], field)) for row in (ours, theirs))
            if mine != other:
                remarks.append(f"{key}: {field} {mine} in A, {other} in B.")
    return remarks


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
        judgement = ()
        if comparable:
            ratio, ci95 = confidence.ratio(row.samples_s, other.samples_s)
            judgement = ratio, ci95, verdict(ci95, "faster", "slower", allowance)
        samples = min(row.samples, other.samples)
        changes.append(Change(row.key, None, row.median_s, other.median_s, samples, *judgement))
    return changes


def gains(first, second):
    """Compare each row's ratios within its run, on any two machines.

    The ratios are those to the base and to the rung's `before`, or to `polygon_mask` for libraries.
    """
    changes = []
    ours, theirs = first.timed, second.timed
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
            word = verdict(ci95, "larger", "smaller")
            changes.append(Change(row.key, against, *values, samples, ratio, ci95, word))
    return changes


def verdict(ci95, more, less, allowance=(1.0, 1.0)):
    """Return the verdict on a ratio: `more` or `less` if 1 is outside its interval.

    `allowance` is the range that the machine's drift explains; an interval overlapping it is DRIFT.
    """
    if ci95 is None:
        return FEW
    low, high = ci95
    if low <= 1 <= high:
        return SAME
    if low <= allowance[1] and high >= allowance[0]:
        return DRIFT
    return more if low > 1 else less


def _common_rows(first, second):
    """Return pairs of rows with times in both results, in the order of the table."""
    theirs = second.timed
    return [(row, theirs[row.key]) for row in table.ordered(first) if row.ok and row.key in theirs]


def _origin(result):
    """Return CPU, date and commit of a result on one line."""
    machine = result.machine
    commit = f"commit {machine.commit[:12]}" if machine.commit else "no commit known"
    changes = ", with changes" if machine.dirty else ""
    interrupted = ", interrupted" if result.interrupted else ""
    return f"{machine.cpu}, {machine.date[:10]}, {commit}{changes}{interrupted}"


def _sentences(first, second):
    """Describe the comparable numbers and the drift of the machine."""
    if not same_machine(first, second):
        return [TWO_MACHINES, NOISE, table.RATIOS]
    sentences = [SAME_MACHINE]
    if ratio := drift(first, second):
        sentences.append(
            f"The probe, a fixed piece of Python code, took {figures.digits(ratio)} times as "
            "long in B. This drift is due to the machine or to Python, not to the rows."
        )
    return [*sentences, NOISE, table.RATIOS]


def _times_table(first, second):
    rows = [change.cells(figures.seconds) for change in times(first, second)]
    if same_machine(first, second):
        headings = ("row", "verdict", "A", "B", "B: times as fast", "95 %")
        return text_table.make("Times", headings, 2, rows)
    return text_table.make(
        "Times", ("row", "A", "B"), 1, [(key, a, b) for key, _, a, b, *_ in rows]
    )


def _gains_table(title, changes):
    headings = ("row", "verdict", "times as fast as", "A", "B", "B / A", "95 %")
    rows = [change.cells(lambda n, of=change: figures.ratio(n, of.samples)) for change in changes]
    return text_table.make(title, headings, 3, rows)


def markdown(pairs):
    """Return all pairs as Markdown."""
    lines = []
    for pair in pairs:
        lines += [f"## {pair.title}", "", *(f"- {label}" for label in pair.labels), ""]
        for sentence in pair.sentences:
            lines += [sentence, ""]
        lines += [*(f"- {text_table.in_a_cell(remark)}" for remark in pair.remarks), ""]
        for each in pair.tables:
            lines += [*text_table.markdown(each), ""]
    return "\n".join(lines)


def for_terminal(pair):
    """Return a pair's lines of text and tables for rich."""
    lines = [pair.title, *pair.labels, *pair.sentences, *(f"- {remark}" for remark in pair.remarks)]
    return [
        *map(Text, lines),
        *(text_table.for_terminal(each, wrap="fold") for each in pair.tables),
    ]


def write(pairs, file):
    """Write the Markdown."""
    saving.write(file, "# Results side by side\n\n" + markdown(pairs))
