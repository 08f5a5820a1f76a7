"""docs/pipeline.md agrees with `polymask pipeline` where all versions print the same."""

import re

import documents
import fresh_python
import numpy as np
import pytest
from quoting import blocks

from ladder import registry
from ladder.profiling import stages
from ladder.registry import workload

TEXT = documents.read("pipeline.md")


@pytest.mark.slow
def test_the_types_are_those_that_the_command_prints():
    """In a separate process: here another rung may have compiled the rule for other types."""
    pytest.importorskip("numba")
    completed = fresh_python.run("-m", "polymask", "pipeline", "numba.njit", "--stage", "types")
    assert blocks(TEXT, "text")[1].strip() == completed.stdout.partition("\n\n")[2].strip()


def compile_loop(vertices, **options):
    """Return the loop over the edges in LLVM code and assembly, compiled with these options."""
    numba = pytest.importorskip("numba")
    njit = registry.get("numba.njit").module()
    rule = numba.njit(**options)(njit.rule.py_func)

    @numba.njit(**options)
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
def test_effects_of_the_options_on_the_loop():
    vertices = workload.polygon()
    llvm, rung = compile_loop(vertices, error_model="numpy")
    assert re.findall(r"fdiv (?:fast )?double", llvm) == ["fdiv double"]
    llvm, fast = compile_loop(vertices, error_model="numpy", fastmath=True)
    assert re.findall(r"fdiv (?:fast )?double", llvm) == ["fdiv fast double"]
    _, tested = compile_loop(vertices)
    _, bounds = compile_loop(vertices, error_model="numpy", boundscheck=True)
    jumps = [
        sum(bool(stages.COUNTED["conditional jumps"].match(line.strip())) for line in lines)
        for lines in (rung, tested, bounds, fast)
    ]
    assert jumps[0] < min(jumps[1:3])
    assert jumps[3] <= jumps[0]
