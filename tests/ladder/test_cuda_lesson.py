"""Lesson 6 is correct about GPUs: its command for the simulator, and the counts of the PTX."""

import re

import documents
import pytest
from checkouts import ROOT
from fresh_python import run

from ladder.devices import cuda_linking

TEXT = documents.lesson(ROOT / "6_numba")
H200 = (9, 0)
INSTRUCTION = re.compile(r"^\s*(?:@!?%p\d+\s+)?([a-z][\w.]*)[ ;\t]")


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


@pytest.mark.extra("cuda")
def test_the_table_has_the_counts_of_the_ptx():
    pytest.importorskip("numba_cuda", reason="the extra cuda is not installed")
    from ladder.numba import gpu, linked

    texts = [
        cuda_linking.ptx(gpu.polygon_mask, H200),
        cuda_linking.linked_ptx(linked, H200).decode(),
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
