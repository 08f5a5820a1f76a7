"""Record the stages in which Numba compiles numba.njit, around the rule's division.

python 6_numba/pictures/record_njit_stages.py

The code depends on the versions and the processor, so it is recorded in njit_stages.json: for each
stage of `polymask pipeline`, the number of instructions of the loop over the edges, and those of
the block around its division, from one jump to the next.
"""

import datetime
import json
import platform
import re

import numba
from njit_stages import DATA

from ladder import registry
from ladder.bench import machine
from ladder.profiling import stages

LABEL = re.compile(r":( |$)")
JUMP = re.compile(r"JUMP|\bbr |^ +j")


def block(name, lines):
    """Return the lines of a loop that are in the same block as its division."""
    pattern = stages.DIVISION[name]
    at = next(n for n, line in enumerate(lines) if pattern.search(line.strip()))
    ends = [n for n, line in enumerate(lines) if JUMP.search(line) or LABEL.search(line)]
    first = max(n for n in ends if n < at) + 1
    last = min(n for n in ends if n > at)
    return [" ".join(line.split()) for line in lines[first : last + 1]]


def record():
    """Write njit_stages.json."""
    code = {stage.name: stage.lines for stage in stages.of_rung(registry.get("numba.njit"))}
    types = dict(line.split(maxsplit=1) for line in code.pop("types"))
    data = {
        "processor": machine.cpu_model(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "loop": {name: sum(not LABEL.search(i) for i in lines) for name, lines in code.items()},
        "types": types,
        "blocks": {name: block(name, lines) for name, lines in code.items()},
    }
    DATA.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
