"""The committed counts of instructions: what differs from them, and how new ones are accepted.

``python -m polymask.profiling.baseline`` counts, and says which rungs' counts have changed.
``python -m polymask.profiling.baseline --accept`` counts, and makes these the committed ones.
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
TOLERANCE = 0.02  # of a count: what changes less is no change
ACCEPT = "python -m polymask.profiling.baseline --accept"


class Lines(NullProgress):
    """Says on standard error which rung is counted."""

    def working(self, text, long=False):
        """Say what is done now."""
        click.echo(text, err=True)


@click.command()
@click.option("--accept", is_flag=True, help="Make these counts the committed ones.")
def main(accept):
    """Count the instructions of all rungs, and say which counts have changed."""
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
    """Count, and return which rungs' counts have changed, in a sentence each.

    It raises `Unavailable` where nothing can be compared: no valgrind, or other conditions.
    """
    if not FILE.exists():
        raise Unavailable(f"no counts are committed for {platform.machine()}", ACCEPT)
    tools.choose("callgrind")
    committed = read(FILE)
    # of a processor that lacks the instruction set it is known only afterwards
    compare_conditions(instructions.conditions(committed.conditions[ISA]), committed)
    counts = count(committed, progress)
    compare_conditions(counts.conditions, committed)
    return changes(counts, committed)


def count(committed=None, progress=None):
    """Count the course's workload; with committed counts, these rungs on these images."""
    chosen, upto = registry.RUNGS, None
    if committed:
        upto = {key: one.image for key, one in committed.rungs.items()}
        chosen = [rung for rung in registry.RUNGS if rung.key in upto]
    vertices = workload.polygon()
    return instructions.count(chosen, vertices, workload.SHAPE, upto=upto, progress=progress)


def read(file):
    """Read counts from a file."""
    fields = json_text.read(file)
    if not isinstance(fields, dict):
        raise ValueError(f"{file} holds no counts, but {quote(fields)}")
    if (schema := fields.pop("schema", None)) != SCHEMA:
        raise ValueError(
            f"{file} has schema {quote(schema)}, and this polymask reads {SCHEMA}: {ACCEPT}"
        )
    return result_json.whole(Instructions, fields, file)


def compare_conditions(here, committed):
    """Raise `Unavailable` if counts that are made here are not comparable with the committed."""
    other = [
        f"{name} {text} (there {committed.conditions.get(name)})"
        for name, text in here.items()
        if text != committed.conditions.get(name)
    ]
    if other:
        raise Unavailable(f"the committed counts are of other conditions than {', '.join(other)}")


def changes(counts, committed):
    """Return which rungs' counts have changed by more than the tolerance, in a sentence each."""
    said = [f"{key} could not be counted: {reason}" for key, reason in counts.failed.items()]
    for key, now in counts.rungs.items():
        before = committed.rungs[key]
        change = now.per_pixel / before.per_pixel - 1
        if abs(change) > TOLERANCE:
            said.append(
                f"{key}: {now.per_pixel:.4g} instructions per pixel, {before.per_pixel:.4g} in "
                f"{FILE.relative_to(ROOT)} ({change:+.1%}); if that is meant: {ACCEPT}"
            )
    return said


if __name__ == "__main__":
    main()
