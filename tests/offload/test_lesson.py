"""Lesson 7: all links work, and all examples are mentioned."""

from checkouts import ROOT
from quoting import broken_links

FOLDER = ROOT / "7_offload"
TEXT = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_links_lead_somewhere():
    assert broken_links(TEXT, FOLDER) == []


def test_every_example_is_told_of():
    assert [file.name for file in (FOLDER / "examples").glob("*.py") if file.name not in TEXT] == []
