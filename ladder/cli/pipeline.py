"""`polymask pipeline`: the stages in which Numba compiles a rung, from bytecode to assembly."""

import click

from ladder import registry
from ladder.profiling import stages
from polymask.cli.options import Text
from polymask.cli.terminal import console, say

FIRST = next(rung.key for rung in registry.RUNGS if rung.jit == "numba")


@click.command()
@click.argument("rung", metavar="[KEY]", type=Text("key", registry.get), default=FIRST)
@click.option(
    "--stage",
    "chosen",
    type=click.Choice(stages.NAMES),
    multiple=True,
    help="Print only this stage; may be repeated.",
)
def pipeline(rung, chosen):
    """Print the stages in which Numba compiles a rung, by default numba.njit.

    They are bytecode, types, LLVM's language and assembly. Each stage shows the innermost loop
    around the division, the loop over the edges, below a line on what to look for.
    """
    out = console()
    for number, stage in enumerate(stages.of_rung(rung), 1):
        if chosen and stage.name not in chosen:
            continue
        out.print(f"{number} {stage.title}", style="bold", highlight=False)
        say(out, f"Look for: {stage.look}")
        click.echo("\n".join(["", *stage.lines, ""]))
