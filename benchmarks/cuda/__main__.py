"""Measures `polymask.cuda` on an NVIDIA GPU: its calls, and work on the CPU beside it.

    python -m benchmarks.cuda build/cuda

writes build/cuda.json and build/cuda.md. The exit code is 1 if a result of polymask differs from
the CPU's or fails, 2 without a GPU, and 130 after Ctrl-C.
"""

import sys
from pathlib import Path

import click

from benchmarks.cuda import report
from benchmarks.cuda.measure import measure
from benchmarks.gpu import environment
from ladder.bench import result_json
from ladder.offload.engines import engine
from polymask.common import saving
from polymask.contract import Unavailable


@click.command(help=__doc__.replace("\n\n", "\n\n\b\n", 1))
@click.argument("stem", type=click.Path(path_type=Path))
@click.option("--quick", is_flag=True, help="Use small scenes, to test that everything works.")
@click.option("--seconds", default=1.0, show_default=True, help="Sample each scene for this time.")
def main(stem, quick, seconds):
    """Measure, and write the record and its tables."""
    try:
        device = gpu()
        saving.check_room(stem.parent)  # before the measurement, which takes a minute
    except (Unavailable, saving.NotWritten) as error:
        click.echo(error, err=True)
        sys.exit(2)
    run = measure(device, quick=quick, seconds=seconds, report=click.echo)
    text, failed = report.markdown(run), report.failures(run)
    result_json.save(run, Path(f"{stem}.json"))
    saving.write(Path(f"{stem}.md"), text)
    click.echo(f"\n{text}")
    sys.exit(130 if run.interrupted else int(bool(failed)))


def gpu():
    """Return the first CUDA device, or raise `Unavailable`."""
    if problem := environment.gpu_problem():
        raise Unavailable(
            f"no NVIDIA GPU can be used ({problem})", "run it where nvidia-smi lists one"
        )
    return engine("cuda")(0).describe()


if __name__ == "__main__":
    main()
