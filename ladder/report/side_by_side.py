"""Results side by side, as sentences and tables for the terminal, Markdown and the page."""

from dataclasses import dataclass

from rich.text import Text

from ladder import registry
from ladder.report import compare, tables
from ladder.report.table import RATIOS
from ladder.report.tables import Table, table
from polymask.common import figures, saving

TIMES = {
    compare.MORE: "faster",
    compare.LESS: "slower",
    compare.DRIFT: "no more than the machine's drift",
}
GAINS = {compare.MORE: "larger", compare.LESS: "smaller"}
NOISE = (
    "A change is beyond the noise if the 95 % bootstrap interval of the ratio excludes 1. Of "
    "twenty unchanged rows, about one is called changed by chance. The interval reflects only the "
    "noise within each run. Another run of the same program can differ by far more if the load of "
    "the machine or the set of rows differs: before you believe a change, measure both again in "
    "the same way."
)


@dataclass(frozen=True)
class Pair:
    """The comparison of two results."""

    title: str
    labels: tuple[str, str]  # A and B: file, CPU, date, commit
    sentences: list[str]  # on comparable numbers, and on the meaning of a change
    remarks: list[str]  # on rows measured differently, or in one result only
    tables: list[Table]


def pairs(named):
    """Return a `Pair` for all results of the same work; `named` has `results.Named`."""
    return [
        pair(named[a].result, named[b].result, (named[a].name, named[b].name))
        for a, b in compare.pairs([entry.result for entry in named])
    ]


def pair(first, second, names):
    """Compare two results of the same polygon; `names` are the names of their files."""
    changed = compare.differences(first, second)
    gains = compare.gains(first, second)
    based = [change for change in gains if change.against == registry.BASE]
    others = [change for change in gains if change.against != registry.BASE]
    sections = [
        table("Differences between A and B", ("", "A", "B"), 3, changed),
        _times(first, second),
        _gains(f"Speed-ups over {registry.BASE}", based),
        _gains("Speed-ups over the rungs that lessons start from", others),
    ]
    return Pair(
        title=f"{names[0]} and {names[1]}",
        labels=tuple(
            f"{letter}: {name}, {_origin(result)}"
            for letter, name, result in zip("AB", names, (first, second), strict=True)
        ),
        sentences=_sentences(first, second, changed),
        remarks=compare.row_differences(first, second),
        tables=[section for section in sections if section.rows],
    )


def _origin(result):
    """Return CPU, date and commit of a result on one line."""
    machine = result.machine
    commit = f"commit {machine.commit[:12]}" if machine.commit else "no commit known"
    changes = ", with changes" if machine.dirty else ""
    interrupted = ", interrupted" if result.interrupted else ""
    return f"{machine.cpu}, {machine.date[:10]}, {commit}{changes}{interrupted}"


def _sentences(first, second, changed):
    """Describe the comparable numbers and the drift of the machine."""
    sentences = []
    if compare.same_machine(first, second):
        sentences.append(
            "The records name the same machine (CPU, cores, memory), so times are compared. Two "
            "machines of the same kind have the same record."
        )
        drift = compare.drift(first, second)
        if drift:
            sentences.append(
                f"The probe, a fixed piece of Python code, took {figures.digits(drift)} times as "
                "long in B. This drift is due to the machine or to Python, not to the rows."
            )
    else:
        sentences.append(
            "Two machines: times are shown side by side but not compared. Only ratios within a run "
            "are comparable."
        )
    only = zip("AB", compare.only(first, second), strict=True)
    sets = [f"only {name} measured {', '.join(keys)}" for name, keys in only if keys]
    if not compare.causes(changed):
        sentences.append(
            "The records differ only in the date, the load and the set of rows."
            if sets
            else "The records differ only in the date and the load."
        )
    if sets:
        sentences.append(
            f"The runs measured different rows: {'; '.join(sets)}. The rows of a run take turns, "
            "and share caches, threads and drivers, so other rows may be the cause of a change."
        )
    return [*sentences, NOISE, RATIOS]


def _times(first, second):
    rows = [_row(change, TIMES, figures.seconds) for change in compare.times(first, second)]
    if compare.same_machine(first, second):
        return table("Times", ("row", "verdict", "A", "B", "B: times as fast", "95 %"), 2, rows)
    return table("Times", ("row", "A", "B"), 1, [(key, a, b) for key, _, a, b, *_ in rows])


def _gains(title, changes):
    headings = ("row", "verdict", "times as fast as", "A", "B", "B / A", "95 %")
    rows = [
        _row(change, GAINS, lambda value, samples=change.samples: figures.ratio(value, samples))
        for change in changes
    ]
    return table(title, headings, 3, rows)


def _row(change, verdicts, write):
    return (
        change.key,
        verdicts.get(change.verdict, change.verdict) or "",
        *filter(None, [change.against]),
        write(change.first),
        write(change.second),
        figures.ratio(change.ratio, change.samples),
        figures.of_ratio(change.ci95),
    )


def markdown(pairs):
    """Return all pairs as Markdown."""
    lines = []
    for pair in pairs:
        lines += [f"## {pair.title}", "", *(f"- {label}" for label in pair.labels), ""]
        for sentence in pair.sentences:
            lines += [sentence, ""]
        lines += [*(f"- {tables.in_a_cell(remark)}" for remark in pair.remarks), ""]
        for each in pair.tables:
            lines += [*tables.markdown(each), ""]
    return "\n".join(lines)


def for_terminal(pair):
    """Return a pair's lines of text and tables for rich."""
    lines = [pair.title, *pair.labels, *pair.sentences, *(f"- {remark}" for remark in pair.remarks)]
    return [*map(Text, lines), *(tables.for_terminal(each, wrap="fold") for each in pair.tables)]


def write(pairs, file):
    """Write the Markdown."""
    saving.write(file, "# Results side by side\n\n" + markdown(pairs))
