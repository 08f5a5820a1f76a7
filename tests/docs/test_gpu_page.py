"""The page on GPUs: its programs print what it shows, where a GPU works."""

import contextlib
import io

import pytest
from checkouts import ROOT
from quoting import all_blocks

from polymask.contract import Unavailable
from polymask.cuda import cupy_library

BLOCKS = [
    block
    for block in all_blocks((ROOT / "docs/gpu.md").read_text(encoding="utf-8"))
    if block.language == "python"
]


def test_each_program_prints_what_follows_it():
    try:
        cupy_library.with_device()
    except Unavailable as error:
        pytest.skip(str(error))
    names, skipped = {}, []
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
        assert printed.getvalue().strip() == block.output.strip(), block.code
    if skipped:
        pytest.skip(f"not all: the packages {', '.join(skipped)} are not installed")
