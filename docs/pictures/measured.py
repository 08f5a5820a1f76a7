"""Draw a picture from values that were measured, and measure them again.

python docs/pictures/NAME.py                     # draw the values in NAME.json
python docs/pictures/NAME.py --measure FOLDER    # measure here: FOLDER/NAME.json and NAME.svg

Other programs may use the cores, so each value is the shortest time of many calls. The calls take
turns in shuffled order, so that a disturbance does not affect only one of them.
"""

import argparse
import ctypes
import datetime
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from polymask.bench import machine
from polymask.report.charts import drawing

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


def main(script, draw, measure):
    """Draw the recorded values, or measure them and print, record and draw them in a folder."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__.splitlines()[0])
    parser.add_argument("--measure", metavar="FOLDER", type=Path, help="measure on this machine")
    folder = parser.parse_args().measure
    data = Path(folder or Path(script).parent, Path(script).stem).with_suffix(".json")
    if folder:
        where = {
            "processor": machine.cpu_model(),
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        }
        text = json.dumps(where | measure(), indent=1)
        data.write_text(text + "\n", encoding="utf-8")
        print(text)
    figure = draw(json.loads(data.read_text(encoding="utf-8")))
    drawing.save(figure, data.with_suffix(""), ("svg",))
