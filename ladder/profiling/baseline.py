"""The committed counts of instructions: a comparison with new counts, and their replacement.

``python -m ladder.profiling.baseline`` counts, and lists the rungs whose counts have changed.
``python -m ladder.profiling.baseline --accept`` counts, and replaces the committed counts.
"""

import platform
import sys

import click

from ladder import registry
from ladder.bench import result_json
from ladder.bench.result import SCHEMA, Instructions
from ladder.common.staleness import ROOT
from ladder.profiling import instructions, tools
from ladder.profiling.instructions import ISA
from ladder.registry import workload
from polymask.cli.progress_bar import progress as progress_bar
from polymask.common import json_text, saving
from polymask.common.error_text import quote
from polymask.contract import Unavailable

FILE = ROOT / "results" / "instructions" / f"{platform.machine()}.json"
TOLERANCE = 0.02  # of a count: smaller changes are ignored
ACCEPT = "python -m ladder.profiling.baseline --accept"


@click.command()
@click.option("--accept", is_flag=True, help="Replace the committed counts with the new ones.")
def main(accept):
    """Count the instructions of all rungs, and list the counts that have changed."""
    try:
        if accept:
            with progress_bar() as bar:
                counts = count(progress=bar)
            if counts.failed:
                failed = ", ".join(counts.failed)
                raise Unavailable(f"could not count {failed}", "run these alone to see why")
            FILE.parent.mkdir(exist_ok=True)
            result_json.save(counts, FILE)
            click.echo(f"wrote {FILE}")
            return
        with progress_bar() as bar:
            changed = check(bar)
    except Unavailable as unavailable:
        raise click.ClickException(str(unavailable)) from None
    except (OSError, ValueError) as error:  # the committed counts cannot be read
        raise click.ClickException(saving.explained(error)) from None
    click.echo("\n".join(changed or ["no count has changed"]))
    sys.exit(1 if changed else 0)


def check(progress=None):
    """Count the instructions; return a sentence for each count that has changed.

    Raises `Unavailable` without valgrind, or if the counts were made under different conditions.
    """
    if not FILE.exists():
        raise Unavailable(f"there are no committed counts for {platform.machine()}", ACCEPT)
    tools.choose("callgrind")
    committed = read(FILE)
    # the available instruction set is known only after counting
    compare_conditions(instructions.conditions(committed.conditions[ISA]), committed)
    counts = count(committed, progress)
    compare_conditions(counts.conditions, committed)
    return changes(counts, committed)


def count(committed=None, progress=None):
    """Count the course's workload; with committed counts, only their rungs, on their images."""
    rungs, upto = registry.RUNGS, None
    if committed:
        upto = {key: rung_count.image for key, rung_count in committed.rungs.items()}
        rungs = [rung for rung in registry.RUNGS if rung.key in upto]
    vertices = workload.polygon()
    return instructions.count(rungs, vertices, workload.SHAPE, upto=upto, progress=progress)


def read(file):
    """Read counts from a file."""
    fields = json_text.read(file)
    if not isinstance(fields, dict):
        raise ValueError(f"{file} contains {quote(fields)} instead of counts")
    if (schema := fields.pop("schema", None)) != SCHEMA:
        raise ValueError(
            f"{file} has schema {quote(schema)}, but this polymask reads {SCHEMA}: run {ACCEPT}"
        )
    return result_json.whole(Instructions, fields, file)


def compare_conditions(conditions, committed):
    """Raise `Unavailable` if counts from here are not comparable with the committed ones."""
    different = [
        f"{name} {text} (there {committed.conditions.get(name)})"
        for name, text in conditions.items()
        if text != committed.conditions.get(name)
    ]
    if different:
        raise Unavailable(f"the committed counts have other conditions: {', '.join(different)}")


def changes(counts, committed):
    """Return a sentence for each count that has changed by more than the tolerance."""
    sentences = [f"{key} could not be counted: {reason}" for key, reason in counts.failed.items()]
    for key, now in counts.rungs.items():
        before = committed.rungs[key]
        change = now.per_pixel / before.per_pixel - 1
        if abs(change) > TOLERANCE:
            sentences.append(
                f"{key}: {now.per_pixel:.4g} instructions per pixel, {before.per_pixel:.4g} in "
                f"{FILE.relative_to(ROOT)} ({change:+.1%}); if intended, run {ACCEPT}"
            )
    return sentences


if __name__ == "__main__":
    main()
