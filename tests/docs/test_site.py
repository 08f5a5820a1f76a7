"""The site: its pages are those of the checkout, and every link to a file of it has a page."""

import importlib.util
import re
import subprocess
import sys

import chromium
import pytest
from checkouts import ROOT

BUILD = ROOT / "docs/site/build.py"
LINK = re.compile(r"\]\(<?((?!\w+:)[^)#>\s]+)")
CODE = re.compile(r"^( *)(`{3,}).*?^\1\2`*$|`[^`\n]+`", re.M | re.S)


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    """Return a folder of the site's pages, with notebooks as they are, not executed."""
    spec = importlib.util.spec_from_file_location("site_build", BUILD)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.EXECUTED = ROOT / "notebooks"
    folder = tmp_path_factory.mktemp("site")
    module.stage(folder)
    return folder


def test_links_of_all_pages_have_targets(staged):
    broken = []
    for page in staged.rglob("*.md"):
        text = CODE.sub("", page.read_text(encoding="utf-8"))
        for link in LINK.findall(text):
            base = staged if link.startswith("/") else page.parent
            target = base / link.lstrip("/")
            if not (target.exists() or target.with_name(f"{target.name}.md").exists()):
                broken.append((page.relative_to(staged), link))
    assert not broken


def test_every_entry_of_a_menu_is_a_page(staged):
    for name in ("index", "learn", "do", "look_up", "understand"):
        menu = staged / f"{name}.md"
        entries = re.findall(r"^(?:[^:`\n]*<)?([\w/.]+)>?$", menu.read_text(encoding="utf-8"), re.M)
        assert entries
        for entry in entries:
            assert any(staged.glob(f"{entry}.*")), entry


def test_the_page_to_play_with_is_linked_on_the_site_alone(staged):
    page = "docs/play/README.md"
    link = '\n<p><a href="../../play.html">'
    assert link in (staged / page).read_text(encoding="utf-8")
    assert link not in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.weekly
@pytest.mark.skipif(not importlib.util.find_spec("sphinx"), reason="`make docs` installs Sphinx")
@pytest.mark.skipif(not chromium.find(), reason="needs Chromium")
@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_in_a_browser(width, scheme):
    """Each kind of page: nothing is wider than the screen, and the console stays empty."""
    subprocess.run(["make", "docs"], cwd=ROOT, check=True, stdout=sys.stderr)
    pages = (
        "index",
        "9_scanline/README",
        "docs/glossary",
        "reference/engine",
        "rungs/numba.cuda",
        "play",
    )
    with chromium.Browser() as browser:
        browser.media(**{"prefers-color-scheme": scheme})
        for page in pages:
            browser.open((ROOT / f"build/site/{page}.html").as_uri(), width=width)
            assert browser.evaluate("document.documentElement.scrollWidth") <= width
        assert not browser.complaints
        assert all(address.startswith(("file:", "data:")) for address in browser.requests)
