"""Builds, tests and measures all that needs an NVIDIA GPU; `make gpu` runs it.

Each stage has a limit of time, and the next one runs whatever became of it. The folder of results
has the output of each stage, what it writes, and summary.txt, which is up to date after each.
"""

import argparse
import signal
import sys
import time
from pathlib import Path

from benchmarks.gpu import environment, running
from benchmarks.gpu.stages import Stage, stages

MADE = Path("build/gpu-python")  # the environment of WHEELS
SECONDS = 480
LEAST_S = 5  # a stage with less time left is not begun
CUDA_ONLY = {"POLYMASK_OFFLOAD_DEVICES": "cuda"}


def options(arguments):
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(prog="make gpu", description=__doc__.split("\n\n")[0])
    parser.add_argument("--results", type=Path, default=Path("build/gpu"))
    parser.add_argument("--wheels", type=Path, help="use this Python's packages, and these wheels")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for the whole run")
    parser.add_argument("--rehearse", action="store_true", help="without a GPU: time nothing")
    return parser.parse_args(arguments)


def main(arguments=None):
    """Run all stages; return 0, 1 if anything failed, or 2 if the run cannot begin."""
    chosen = options(arguments)
    problem = environment.gpu_problem()
    if problem and not chosen.rehearse:
        print(f"no NVIDIA GPU can be used ({problem}): run `make gpu` where nvidia-smi lists one, "
              "or try it without by `make gpu REHEARSE=yes`")  # fmt: skip
        return 2
    if chosen.wheels and not chosen.wheels.is_dir():
        print(f"there is no folder {chosen.wheels}: WHEELS names one, which may be empty")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # end the stage, too
    chosen.results.mkdir(parents=True, exist_ok=True)
    python = str(MADE / "bin/python") if chosen.wheels else sys.executable
    variables = {"PYTHONUNBUFFERED": "1", **environment.opencl_vendors("build/gpu-opencl")}
    todo = [*preparing(chosen.wheels, python), *stages(python, chosen.results)]
    outcomes = run(todo, chosen, variables, problem)
    print(f"\n{(chosen.results / 'summary.txt').read_text()}\nresults: {chosen.results}")
    return int(any(one.failed for one in outcomes))


def preparing(wheels, python):
    """Return the stages before all others; an ordinary .venv is ready, as `make` has built it."""
    if not wheels:
        return []
    make = environment.python_commands(sys.executable, wheels, MADE)
    build = [[python, "setup.py", "-q", "build_ext", "--inplace"]]
    return [Stage("packages", 120, make, needed=True), Stage("build", 300, build, needed=True)]


def run(todo, chosen, variables, problem):
    """Run stages until all are done, or the time of the whole run is over; return outcomes.

    `problem` says why no GPU can be used; nothing is timed then.
    """
    outcomes, until = [], time.monotonic() + chosen.seconds
    gpu = f"a rehearsal: {problem}" if problem else environment.gpu_names()
    lines = [f"make gpu, {time.strftime('%Y-%m-%d %H:%M')}: {gpu}", ""]
    for stage in todo:
        left = until - time.monotonic()
        if stage.times and problem:
            outcome = running.Outcome(stage.name, "not run: without a GPU nothing is timed")
        elif left < LEAST_S:
            outcome = running.Outcome(stage.name, "not run: no time left", failed=True)
        else:
            print(f"{stage.name} ...", end=" ", flush=True)
            more = CUDA_ONLY if stage.times and stage.name != "costs" else {}
            limit = min(stage.seconds, left)
            outcome = running.run(stage, chosen.results, limit, variables | more)
            print(f"{outcome.text} ({outcome.seconds:.0f} s)", flush=True)
        outcomes.append(outcome)
        lines += outcome.lines()
        (chosen.results / "summary.txt").write_text("\n".join(lines) + "\n")
        if outcome.failed and stage.needed:
            break
    return outcomes


if __name__ == "__main__":
    sys.exit(main())
