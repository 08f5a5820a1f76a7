"""Pages of docs: every link has a target, and every page is linked."""

import re

import documents
from cases import folded
from checkouts import ROOT

PAGES = sorted(documents.DOCS.glob("*.md"))
CONCEPTS = sorted(documents.DOCS.glob("concepts/*.md"))
HOW_TO = sorted(documents.DOCS.glob("how_to/*.md"))


def links(text):
    """Return the targets of a page's links, except those in code."""
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.S | re.M)
    return re.findall(r"(?:\]\(<?|<img src=\")([^)>\"]+)>?[)\"]", prose)


@folded("page", [*PAGES, *CONCEPTS, *HOW_TO, ROOT / "README.md"])
def test_links_have_targets(page):
    relative = [link for link in links(page.read_text(encoding="utf-8")) if "://" not in link]
    assert relative
    for link in relative:
        name, _, fragment = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if fragment:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.M)
            assert fragment in map(documents.anchor, headings), link


def test_every_page_is_linked_from_the_readme_or_a_lesson():
    files = [*ROOT.glob("*.md"), *ROOT.glob("*/README.md")]
    linked = {link.rpartition("/")[2] for file in files for link in links(file.read_text("utf-8"))}
    assert {page.name for page in PAGES} - linked == set()
