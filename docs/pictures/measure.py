"""Measure the values of a picture on this machine, and draw it.

python docs/pictures/measure.py NAME FOLDER    # NAME is branches, caches or vector_units

The values are printed, and written to FOLDER/NAME.json; the picture is FOLDER/NAME.svg. Other
programs may use the cores, so each value is the shortest time of many calls. The calls take turns
in shuffled order, so that a disturbance does not affect only one of them.
"""

import ctypes
import datetime
import importlib
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ladder.bench import machine
from ladder.report.charts import drawing

CSRC = Path(__file__).resolve().parents[2] / "csrc"


def compiled(code, *flags):
    """Return C code as a library, compiled by cc with the flags of exact arithmetic."""
    exact = (CSRC / "engine/exact_flags.txt").read_text(encoding="utf-8").split()
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "loop.c"), Path(folder, "loop.so")
        source.write_text(code, encoding="utf-8")
        command = ("cc", "-O3", *exact, *flags, "-shared", "-fPIC", f"-I{CSRC}")
        subprocess.run((*command, "-o", library, source, "-lm"), check=True)
        return ctypes.CDLL(str(library))


def address(array):
    """Return the address of an array's first element, for a function in C."""
    return array.ctypes.data_as(ctypes.c_void_p)


def shortest_s(calls, rounds, repeats=1):
    """Map the names of calls to the shortest time of one call, in seconds."""
    shortest = dict.fromkeys(calls, float("inf"))
    names = list(calls)
    for _ in range(rounds):
        random.shuffle(names)
        for name in names:
            start = time.perf_counter()
            for _ in range(repeats):
                calls[name]()
            shortest[name] = min(shortest[name], (time.perf_counter() - start) / repeats)
    return shortest


def recorded(script):
    """Return the values that were measured for the picture of a script."""
    return json.loads(Path(script).with_suffix(".json").read_text(encoding="utf-8"))


def main(name, folder):
    """Measure, print and draw the values of a picture."""
    picture = importlib.import_module(name)
    where = {
        "processor": machine.cpu_model(),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
    }
    data = where | picture.measure()
    text, stem = json.dumps(data, indent=1), Path(folder, name)
    print(text)
    stem.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    drawing.save(picture.draw(data), stem, ("svg",))


if __name__ == "__main__":
    main(*sys.argv[1:])
