"""Lesson 7 quotes what is there: each block of code stands in a file, each link leads somewhere."""

import re
import textwrap

import pytest
from checkouts import ROOT

FOLDER = ROOT / "7_offload"
TEXT = (FOLDER / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(?:python|c)\n(.*?)```", TEXT, re.S)
SOURCES = [*FOLDER.rglob("*.py"), *FOLDER.rglob("*.c"), *(ROOT / "csrc/offload").glob("*.[ch]")]


def quoted(text):
    """The lines without their common indentation and without blank ones at either end."""
    return textwrap.dedent(text).strip("\n")


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_each_block_of_code_stands_in_a_file(block):
    sources = [file.read_text(encoding="utf-8") for file in SOURCES]
    lines = quoted(block).splitlines()
    indents = [" " * depth for depth in range(0, 13, 4)]
    written = ["\n".join(i + line if line else "" for line in lines) for i in indents]
    assert any(form in source for form in written for source in sources), block


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    headings = {
        re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", TEXT, re.M)
    }
    assert len(links) > 15
    for link in links:
        if link.startswith("#"):
            assert link[1:] in headings, link
        elif "://" not in link:
            assert (FOLDER / link.partition("#")[0]).exists(), link


def test_every_example_is_told_of():
    assert [file.name for file in (FOLDER / "examples").glob("*.py") if file.name not in TEXT] == []
