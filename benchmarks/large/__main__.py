"""Measures a label image that is written to Zarr by blocks, by polymask and other libraries.

    python -m benchmarks.large build/large

writes build/large.json and build/large.md. Libraries that are not installed are skipped. The exit
code is 1 if `polymask.dask` differs in a pixel from a loop over windows, and 130 after Ctrl-C.
"""

import sys
from pathlib import Path

import click

from benchmarks.harness import tables
from benchmarks.large import report
from benchmarks.large.contenders import CONTENDERS
from benchmarks.large.measure import measure
from polymask.common import saving

POSITIVE = click.IntRange(min=1)
KEYS = click.Choice([contender.key for contender in CONTENDERS])


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.argument("stem", type=click.Path(path_type=Path))
@click.option("--size", type=POSITIVE, default=40_000, show_default=True, help="Rows and columns.")
@click.option("--polygons", type=POSITIVE, default=100_000, show_default=True, help="Octagons.")
@click.option("--chunk", type=POSITIVE, default=4000, show_default=True, help="Its rows.")
@click.option("--runs", type=POSITIVE, default=3, show_default=True, help="Processes for each.")
@click.option("--only", type=KEYS, multiple=True, help="A contender; may be repeated.")
def main(stem, size, polygons, chunk, runs, only):
    """Measure, and write the record and its tables."""
    try:
        saving.check_room(stem.parent)  # before the measurement, which takes minutes
    except saving.NotWritten as error:
        click.echo(error, err=True)
        sys.exit(2)
    run = measure(size, polygons, chunk, keys=only, runs=runs, report=click.echo)
    text = report.markdown(run)
    click.echo(f"\n{text}\n{tables.write(run, stem, text)}")
    differs = any(row.differ for row in run.rows if row.kind == "ours")
    sys.exit(130 if run.interrupted else int(differs))


if __name__ == "__main__":
    main()
