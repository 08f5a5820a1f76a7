"""The committed counts of instructions: comparing with them, and accepting new ones.

``python -m polymask.profiling.baseline`` counts, and lists the rungs whose counts have changed.
``python -m polymask.profiling.baseline --accept`` counts, and replaces the committed counts.
"""

import platform
import sys

import click

from polymask.bench import result_json
from polymask.bench.result import SCHEMA, Instructions
from polymask.common import json_text, saving
from polymask.common.error_text import quote
from polymask.common.null_progress import NullProgress
from polymask.common.staleness import ROOT
from polymask.contract import Unavailable
from polymask.ladder import registry, workload
from polymask.profiling import instructions, tools
from polymask.profiling.instructions import ISA

FILE = ROOT / "results" / "instructions" / f"{platform.machine()}.json"
TOLERANCE = 0.02  # of a count: a smaller change does not count
ACCEPT = "python -m polymask.profiling.baseline --accept"


class Lines(NullProgress):
    """Progress on standard error: the rung that is counted."""

    def working(self, text, long=False):
        """Print the current step."""
        click.echo(text, err=True)


@click.command()
@click.option("--accept", is_flag=True, help="Make these counts the committed ones.")
def main(accept):
    """Count the instructions of all rungs, and list the changed counts."""
    try:
        if accept:
            counts = count(progress=Lines())
            if counts.failed:
                raise Unavailable(f"without {', '.join(counts.failed)}", "run it alone to see why")
            FILE.parent.mkdir(exist_ok=True)
            result_json.save(counts, FILE)
            click.echo(f"wrote {FILE}")
            return
        changed = check(Lines())
    except Unavailable as unavailable:
        raise click.ClickException(str(unavailable)) from None
    except (OSError, ValueError) as error:  # of the committed counts
        raise click.ClickException(saving.explained(error)) from None
    click.echo("\n".join(changed or ["no count has changed"]))
    sys.exit(1 if changed else 0)


def check(progress=None):
    """Count the instructions, and return a sentence for each changed count.

    Raises `Unavailable` if counts cannot be compared: without valgrind, or under other conditions.
    """
    if not FILE.exists():
        raise Unavailable(f"no counts are committed for {platform.machine()}", ACCEPT)
    tools.choose("callgrind")
    committed = read(FILE)
    # the available instruction set is known only after counting
    compare_conditions(instructions.conditions(committed.conditions[ISA]), committed)
    counts = count(committed, progress)
    compare_conditions(counts.conditions, committed)
    return changes(counts, committed)


def count(committed=None, progress=None):
    """Count the course's workload; with committed counts, their rungs on their images."""
    chosen, upto = registry.RUNGS, None
    if committed:
        upto = {key: counted.image for key, counted in committed.rungs.items()}
        chosen = [rung for rung in registry.RUNGS if rung.key in upto]
    vertices = workload.polygon()
    return instructions.count(chosen, vertices, workload.SHAPE, upto=upto, progress=progress)


def read(file):
    """Read counts from a file."""
    fields = json_text.read(file)
    if not isinstance(fields, dict):
        raise ValueError(f"{file} does not hold counts, but {quote(fields)}")
    if (schema := fields.pop("schema", None)) != SCHEMA:
        raise ValueError(
            f"{file} has schema {quote(schema)}, and this polymask reads {SCHEMA}: {ACCEPT}"
        )
    return result_json.whole(Instructions, fields, file)


def compare_conditions(conditions, committed):
    """Raise `Unavailable` if counts made here are not comparable with the committed ones."""
    other = [
        f"{name} {text} (there {committed.conditions.get(name)})"
        for name, text in conditions.items()
        if text != committed.conditions.get(name)
    ]
    if other:
        raise Unavailable(f"the committed counts are of other conditions than {', '.join(other)}")


def changes(counts, committed):
    """Return a sentence for each count that changed by more than the tolerance."""
    sentences = [f"{key} could not be counted: {reason}" for key, reason in counts.failed.items()]
    for key, now in counts.rungs.items():
        before = committed.rungs[key]
        change = now.per_pixel / before.per_pixel - 1
        if abs(change) > TOLERANCE:
            sentences.append(
                f"{key}: {now.per_pixel:.4g} instructions per pixel, {before.per_pixel:.4g} in "
                f"{FILE.relative_to(ROOT)} ({change:+.1%}); if that is meant: {ACCEPT}"
            )
    return sentences


if __name__ == "__main__":
    main()
