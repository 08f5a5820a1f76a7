"""Pages: every link and image has a target, and every page of docs is linked."""

import re

import documents
from cases import folded
from checkouts import ROOT

PAGES = sorted(documents.DOCS.glob("*.md"))
FOLDERS = ("[0-9]_*", "benchmarks", "csrc", "docs", "results")
BELOW = [page for folder in FOLDERS for page in ROOT.glob(f"{folder}/**/*.md")]
ALL = [page for page in [*ROOT.glob("*.md"), *BELOW] if page.parent.name != "site"]


def links(text):
    """Return the targets of a page's links, except those in code."""
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.S | re.M)
    return re.findall(r"(?:\]\(<?|<img src=\")([^)>\"]+)>?[)\"]", prose)


@folded("page", sorted(ALL))
def test_links_and_images_have_targets(page):
    relative = [link for link in links(page.read_text(encoding="utf-8")) if "://" not in link]
    assert relative or page not in PAGES
    for link in relative:
        name, _, fragment = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert "engine" not in page.parts or target.is_relative_to(ROOT / "csrc/engine"), link
        if fragment:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.M)
            assert fragment in map(documents.anchor, headings), link


def test_every_page_is_linked_from_the_readme_or_a_lesson():
    files = [*ROOT.glob("*.md"), *ROOT.glob("*/README.md")]
    linked = {link.rpartition("/")[2] for file in files for link in links(file.read_text("utf-8"))}
    assert {page.name for page in PAGES} - linked == set()


def test_the_gallery_has_every_picture_of_its_folder_linked_to_its_script():
    page = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
    shown = re.findall(r"\(gallery/(\w+)\.svg\)\]\(gallery/\1\.py\)", page)
    assert sorted(shown) == sorted(file.stem for file in ROOT.glob("docs/gallery/*.svg"))
