"""Draw one condition of the rule in the stages in which Numba compiles it.

python 6_numba/pictures/njit_stages.py

The code is in njit_stages.json; record_njit_stages.py records it.
"""

import inspect
import json
from pathlib import Path

from ladder.python.tuples import inside_polygon
from ladder.report.charts import drawing

DATA = Path(__file__).with_suffix(".json")
HIGH, TOP = 17, 60  # pixels: the height of a line of code, and of the two lines above them
COLUMNS = (0, 164, 226, 312)  # the left sides of the stages
STAGES = {"bytecode": "bytecode", "types": "types", "llvm": "LLVM", "assembly": "assembly"}
MONO = {"family": "monospace", "size": 11}


def condition():
    """Return the condition with the rule's division."""
    line = next(line for line in inspect.getsource(inside_polygon).splitlines() if " / " in line)
    return line.rpartition(" or ")[2].rstrip(":")


def lines(blocks, types):
    """Return the texts of each line: an instruction of bytecode, and its form in each stage."""
    pairs = zip(blocks["llvm"], blocks["assembly"], strict=True)
    result = []
    for step in blocks["bytecode"]:
        _, instruction, argument = step.split(maxsplit=2)
        if instruction == "LOAD_FAST":  # a variable, which has a type
            texts = types[argument], "", ""
        else:
            llvm, assembly = next(pairs)
            llvm = llvm.rpartition(" = ")[2].split(" %")[0]
            texts = "", llvm.replace("fcmp ult double", "fcmp double"), assembly.split()[0]
        result.append((f"{instruction.replace('FORWARD_', '')} {argument}", *texts))
    assert not list(pairs)  # each instruction of the processor belongs to one of bytecode
    return result


@drawing.chart
def draw():
    """Return the figure: one line per instruction, one column per stage."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    code = lines(data["blocks"], data["types"])
    height = TOP + HIGH * (len(code) + 2)
    figure = drawing.figure(400, height)
    axes = drawing.axes(figure, 8, 8, 0, 0)
    axes.set(xlim=(0, 384), ylim=(height, 0))
    axes.axis("off")
    axes.text(0, 18, condition(), **MONO)
    colours = [drawing.LIGHT[name] for name in ("ink", "green", "slow", "blue")]
    for left, stage, colour in zip(COLUMNS, STAGES, colours, strict=True):
        axes.text(left, TOP - 12, STAGES[stage], color=colour, weight="bold")
        size = str(data["loop"].get(stage, ""))
        text = f"the whole loop: {size}" if left == 0 else size
        axes.text(left, height - 12, text, color=colour)
    for number, texts in enumerate(code):
        bottom = TOP + HIGH * (number + 1)
        if texts[-1]:
            axes.axhspan(bottom - HIGH + 1, bottom - 1, color=drawing.LIGHT["grid"], linewidth=0)
        for left, text, colour in zip(COLUMNS, texts, colours, strict=True):
            axes.text(left, bottom - 5, text, color=colour, **MONO)
    return figure


if __name__ == "__main__":
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
