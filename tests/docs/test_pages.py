"""Pages of docs: every link leads somewhere, and every page is reached from another."""

import re

import documents
from cases import folded
from checkouts import ROOT

PAGES = sorted(documents.DOCS.glob("*.md"))
CONCEPTS = sorted(documents.DOCS.glob("concepts/*.md"))


def links(text):
    """Return where the links of a page lead to; code has none."""
    words = re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.S | re.M)
    return re.findall(r"(?:\]\(<?|<img src=\")([^)>\"]+)>?[)\"]", words)


@folded("page", [*PAGES, *CONCEPTS, ROOT / "README.md"])
def test_links_lead_somewhere(page):
    found = [link for link in links(page.read_text(encoding="utf-8")) if "://" not in link]
    assert found
    for link in found:
        name, _, part = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if part:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.M)
            assert part in map(documents.anchor, headings), link


def test_every_page_is_linked_from_the_readme_or_a_lesson():
    files = [*ROOT.glob("*.md"), *ROOT.glob("*/README.md")]
    linked = {link.rpartition("/")[2] for file in files for link in links(file.read_text("utf-8"))}
    assert {page.name for page in PAGES} - linked == set()
