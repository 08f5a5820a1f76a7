"""`polymask pipeline`: the stages of a Numba rung, cut down to the innermost loop."""

import re

import documents
import fresh_python
import pytest
from quoting import blocks

from ladder import registry
from ladder.profiling import stages
from ladder.profiling.innermost import Block, loops_around
from ladder.python import tuples

JIT = [rung.key for rung in registry.RUNGS if rung.jit == "numba" and not rung.device]
each_jit = pytest.mark.parametrize("key", JIT)


def graph(**following):
    """Make blocks that are named by a letter; the first one is the entry of the code."""
    return {name: Block(name, [name], list(after)) for name, after in following.items()}


def loops(blocks, name):
    nested = loops_around(list(blocks.values()), blocks[name])
    return ["".join(block.name for block in loop) for loop in nested]


def test_the_innermost_loop_comes_first():
    blocks = graph(s="y", y="xe", x="iy", i="dx", d="i", e="")
    assert loops(blocks, "d") == ["id", "xid", "yxid"]
    assert loops(blocks, "x") == ["xid", "yxid"]
    assert loops(blocks, "s") == loops(blocks, "e") == []


def test_two_jumps_back_to_one_block_are_one_loop_without_its_exits():
    blocks = graph(s="i", i="ce", c="ido", d="i", o="e", e="")
    assert loops(blocks, "d") == ["icd"]


def test_a_jump_back_to_a_block_with_another_entry_is_no_loop():
    blocks = graph(s="ab", a="b", b="ae", e="")
    assert loops(blocks, "a") == []


def test_bytecode_is_cut_to_the_loop_over_the_edges():
    lines = stages.cut("bytecode", stages.bytecode(tuples.inside_polygon))
    assert any("FOR_ITER" in line for line in lines)
    assert sum(bool(stages.DIVISION["bytecode"].search(line)) for line in lines) == 1
    assert not any("RETURN_VALUE" in line for line in lines)


AARCH64 = """
fill:
    mov x9, #0
.LBB0_1:
    mov x10, #0
.LBB0_2:
    ldr d0, [x1, x10, lsl #3]
    fcmp d0, d1
    b.ne .LBB0_4
    fdiv d0, d0, d2
.LBB0_4:
    add x10, x10, #1
    cbnz x10, .LBB0_2
    add x9, x9, #1
    cmp x9, x2
    b.lo .LBB0_1
    ret
"""


def test_assembly_of_another_processor_is_cut_and_counted_too():
    stage = stages.of_assembly(stages.cut("assembly", stages.assembly_functions(AARCH64)))
    assert stage.lines[0] == ".LBB0_2:"
    assert stage.lines[-1].split() == ["cbnz", "x10,", ".LBB0_2"]
    counts = (
        "divisions of doubles: 1, divisions of integers: 0, conditional jumps: 2, calls: 0, fused"
    )
    assert stage.look.startswith(counts)


@each_jit
def test_every_stage_of_every_rung_is_there(polymask, key):
    pytest.importorskip("numba")
    code, out, err = polymask("pipeline", key)
    assert (code, err) == (0, "")
    assert re.findall(r"^(\d) ", out, re.M) == ["1", "2", "3", "4"]
    assert out.count("\nLook for: ") == 4
    assert len(re.findall(r" fdiv double ", out)) == 1
    assert not re.search(r"fdiv fast| fma", out)
    assert "divisions of doubles: 1, divisions of integers: 0" in out
    assert "calls: 0, fused multiply-adds: 0." in out


@each_jit
def test_types_are_those_of_the_processor(polymask, key):
    pytest.importorskip("numba")
    _, out, _ = polymask("pipeline", key, "--stage", "types")
    assert "pyobject" not in out.partition("\n\n")[2]
    for name in ("x1", "y1", "x2", "y2"):
        assert re.search(rf"^{name} +float64$", out, re.M)
    if key != "numba.vectorize":  # which has no loop of its own
        assert re.search(r"^inside +bool$", out, re.M)
        assert re.search(r"^i +int64$", out, re.M)


def test_other_rungs_have_no_such_stages(polymask):
    code, out, err = polymask("pipeline", "cclass.polygon")
    assert (code, out) == (1, "")
    assert err.startswith("polymask: cclass.polygon is not compiled with Numba")
    assert len(err.splitlines()) == 1


@pytest.mark.slow
def test_the_page_has_the_types_that_the_command_prints():
    """In a separate process: here another rung may have compiled the rule for other types."""
    pytest.importorskip("numba")
    completed = fresh_python.run("-m", "polymask", "pipeline", "numba.njit", "--stage", "types")
    shown = blocks(documents.read("pipeline.md"), "text")[1]
    assert shown.strip() == completed.stdout.partition("\n\n")[2].strip()
