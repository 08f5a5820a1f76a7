"""Lesson 7 quotes existing code: each block of code is in a file, and all links work."""

import pytest
from cases import folded
from checkouts import ROOT
from quoting import blocks, broken_links, drawn_texts, stands_in

FOLDER = ROOT / "7_offload"
TEXT = (FOLDER / "README.md").read_text(encoding="utf-8")
BLOCKS = blocks(TEXT, "python", "c")
SOURCES = [*FOLDER.rglob("*.py"), *FOLDER.rglob("*.c"), *(ROOT / "csrc/offload").glob("*.[ch]")]


@folded("block", BLOCKS)
def test_each_block_of_code_stands_in_a_file(block):
    assert stands_in(block, SOURCES), block


def test_links_lead_somewhere():
    assert broken_links(TEXT, FOLDER) == []


def test_every_example_is_told_of():
    assert [file.name for file in (FOLDER / "examples").glob("*.py") if file.name not in TEXT] == []


def test_the_picture_is_that_of_the_result():
    pytest.importorskip("matplotlib")
    committed, now = drawn_texts(FOLDER / "pictures/styles.py")
    assert now
    assert committed == now
