"""The page on GPUs: its programs print what it shows, on PoCL in CuPy's place."""

import contextlib
import io

import cupy_on_pocl
import pytest
from checkouts import ROOT
from quoting import all_blocks

BLOCKS = [
    block
    for block in all_blocks((ROOT / "docs/gpu.md").read_text(encoding="utf-8"))
    if block.language == "python"
]


@pytest.mark.extra("opencl")
def test_each_program_prints_what_follows_it(monkeypatch):
    names, skipped = {}, []
    with cupy_on_pocl.installed("polymask.cuda.cupy_library"):
        for block in BLOCKS:
            printed = io.StringIO()
            try:
                with contextlib.redirect_stdout(printed):
                    exec(block.code, names)
            except ModuleNotFoundError as error:
                skipped.append(error.name)
                continue
            except NameError:  # it uses what a skipped program defines
                assert skipped
                continue
            expected = block.output.strip()
            assert printed.getvalue().strip() == expected, block.code
    if skipped:
        pytest.skip(f"not all: the packages {', '.join(skipped)} are not installed")
