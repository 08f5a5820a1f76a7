"""docs/pipeline.md says what `polymask pipeline` prints, where no version changes it."""

import re

import documents
import fresh_python
import numpy as np
import pytest
from quoting import blocks

from polymask.ladder import registry, workload
from polymask.profiling import stages

TEXT = documents.read("pipeline.md")


def test_there_is_a_section_for_each_stage():
    titles = re.findall(r"^## (\d) ", TEXT, re.M)
    assert titles == [str(number) for number in range(1, len(stages.NAMES) + 1)]


@pytest.mark.slow
def test_the_types_are_those_that_the_command_prints():
    """In a process of its own: another rung may have had the rule compiled for other types here."""
    pytest.importorskip("numba")
    done = fresh_python.run("-m", "polymask", "pipeline", "numba.njit", "--stage", "types")
    assert blocks(TEXT, "text")[1].strip() == done.stdout.partition("\n\n")[2].strip()


def compiled(vertices, **choices):
    """The loop over the edges in LLVM's language and in assembly, compiled with these choices."""
    numba = pytest.importorskip("numba")
    njit = registry.get("numba.njit").module()
    rule = numba.njit(**choices)(njit.rule.py_func)

    @numba.njit(**choices)
    def fill(mask, vertices):
        for y in range(mask.shape[0]):
            for x in range(mask.shape[1]):
                mask[y, x] = rule(x, y, vertices, True)

    fill(np.empty((5, 6), np.uint8), vertices)
    (llvm,), (assembly,) = fill.inspect_llvm().values(), fill.inspect_asm().values()
    return (
        "\n".join(stages.cut("llvm", stages.llvm_functions(llvm), whole=False)),
        stages.cut("assembly", stages.assembly_functions(assembly), whole=False),
    )


@pytest.mark.slow
def test_what_the_choices_do_to_the_loop():
    vertices = workload.polygon()
    llvm, rung = compiled(vertices, error_model="numpy")
    assert re.findall(r"fdiv (?:fast )?double", llvm) == ["fdiv double"]
    llvm, fast = compiled(vertices, error_model="numpy", fastmath=True)
    assert re.findall(r"fdiv (?:fast )?double", llvm) == ["fdiv fast double"]
    _, tested = compiled(vertices)
    _, bounds = compiled(vertices, error_model="numpy", boundscheck=True)
    jumps = [
        sum(bool(stages.COUNTED["conditional jumps"].match(line.strip())) for line in lines)
        for lines in (rung, tested, bounds, fast)
    ]
    assert jumps[0] < min(jumps[1:3])
    assert jumps[3] <= jumps[0]
