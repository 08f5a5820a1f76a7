"""Lesson 6 is correct about GPUs: its numbers, the simulator's messages, the counts of the PTX."""

import re

import pytest
from checkouts import ROOT
from fresh_python import run

from ladder.devices import cuda_linking

TEXT = (ROOT / "6_numba/README.md").read_text(encoding="utf-8")
H200 = (9, 0)
INSTRUCTION = re.compile(r"^\s*(?:@!?%p\d+\s+)?([a-z][\w.]*)[ ;\t]")
BUG = """
import numpy as np
from numba import cuda

@cuda.jit
def double(a):
    i = cuda.grid(1)
    a[i] *= 2

size, b = 100, 32
double[size + (b - 1) // b, b](np.arange(100.0))
"""


@pytest.fixture
def simulate(tmp_path):
    """Run a program under the simulator, from a file."""
    pytest.importorskip("numba")

    def simulate(program):
        (tmp_path / "program.py").write_text(program)
        return run(tmp_path / "program.py", NUMBA_ENABLE_CUDASIM="1")

    return simulate


@pytest.mark.slow
def test_the_command_for_the_simulator_finds_no_wrong_pixel(simulate):
    command = re.search(r'NUMBA_ENABLE_CUDASIM=1 python -c "\n(.*?)"\n', TEXT, re.DOTALL)[1]
    assert simulate(command).stdout == "0 wrong pixels\n"


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "right"), [((64, 48), True), ((100, 48), False)])
def test_x_and_y_exchanged_are_right_by_luck_only(shape, right, simulate, tmp_path):
    source = (ROOT / "6_numba/gpu.py").read_text(encoding="utf-8")
    assert source.count("x, y = cuda.grid(2)") == 1
    (tmp_path / "changed.py").write_text(source.replace("x, y = cuda.grid", "y, x = cuda.grid"))
    done = simulate(f"""
import changed
from ladder.registry import reference, workload
vertices = workload.polygon(24, {shape})
print(bool((changed.make_mask(vertices, {shape}) == reference.mask(vertices, {shape})).all()))
""")
    assert done.stdout.split() == [str(right)], done.stderr


@pytest.mark.slow
def test_an_index_beyond_the_array_names_thread_and_block(simulate):
    """The number of blocks is too high, as the division is evaluated before the sum."""
    error = simulate(BUG).stderr
    assert re.search(r"IndexError: tid=\[\d+, 0, 0\] ctaid=\[3, 0, 0\]: index 1\d\d", error), error
    assert simulate(BUG.replace("size + (b - 1) // b", "96 // b")).returncode == 0


@pytest.mark.extra("cuda")
def test_the_table_has_the_counts_of_the_ptx():
    pytest.importorskip("numba_cuda", reason="the extra cuda is not installed")
    from ladder.numba import gpu, linked

    texts = [
        cuda_linking.ptx(gpu.polygon_mask, gpu.SIGNATURE, H200),
        cuda_linking.link(linked.codes(H200), H200, "ptx").decode(),
    ]
    kernels = [[m[1] for m in map(INSTRUCTION.match, text.splitlines()) if m] for text in texts]
    rows = {
        "instructions": [len(names) for names in kernels],
        "`call`": [names.count("call") for names in kernels],
        "copies of the loop over the edges, `div.rn.f64` in each": [
            names.count("div.rn.f64") for names in kernels
        ],
    }
    for name, counts in rows.items():
        assert f"| {name} | {counts[0]} | {counts[1]} |" in TEXT
    assert ["rem.s64" in names for names in kernels] == [True, False]
