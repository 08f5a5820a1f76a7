"""The site: its pages are those of the checkout, and every link to a file of it has a page."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import chromium
import pytest
import release
from checkouts import ROOT

from ladder import registry
from ladder.report import rung_facts
from ladder.workshop import exercises

BUILD = ROOT / "docs/site/build.py"
LINK = re.compile(r"\]\(<?((?!\w+:)[^)#>\s]+)")
EXERCISE = re.compile(r"^\| `(\w+)` \| \[(.*)\]\(exercises/(\w+)/task.md\) \| (\d+) \|$", re.M)
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
        assert "<img" not in text, page  # Sphinx copies only the images of Markdown
        for link in LINK.findall(text):
            base = staged if link.startswith("/") else page.parent
            target = base / link.lstrip("/")
            if not (target.exists() or target.with_name(f"{target.name}.md").exists()):
                broken.append((page.relative_to(staged), link))
    assert not broken


def test_the_stairs_of_the_home_page_lead_to_the_rungs(staged):
    links = re.findall(r'href="(\d_\w+/\w+)\.html"', (staged / "index.md").read_text("utf-8"))
    assert set(links) <= {rung.page.removesuffix(".md") for rung in registry.RUNGS}
    assert len(links) > 20


def test_lessons_list_their_exercises_in_order(staged):
    rows, entries = [], []
    for lesson in sorted(ROOT.glob("[0-9]_*/README.md")):
        rows += EXERCISE.findall(lesson.read_text(encoding="utf-8"))
        page = staged / lesson.relative_to(ROOT)
        entries += re.findall(r"^(\w+) </\w+/exercises/\w+/task>$", page.read_text("utf-8"), re.M)
    known = exercises.every()
    assert rows == [(e.directory, e.title, e.name, str(e.minutes)) for e in known]
    assert entries == [exercise.directory for exercise in known]


def test_every_entry_of_a_menu_is_a_page(staged):
    for name in ("index", "learn", "do", "look_up", "understand"):
        menu = staged / f"{name}.md"
        entries = re.findall(r"^(?:[^:`\n]*<)?([\w/.]+)>?$", menu.read_text(encoding="utf-8"), re.M)
        assert entries
        for entry in entries:
            assert any(staged.glob(f"{entry}.*")), entry


PAGES = (  # one of each kind
    "index",
    "learn",
    "search",
    "9_scanline/README",
    "9_scanline/exercises/rows/task",
    "docs/glossary",
    "notebooks/walkthrough",
    "play",
    "reference/polygon_mask",
    "reference/engine",
    "results/2026-11-26-nvidia-h100",
    "rungs/numba.gpu",
    "source/csrc/engine/include/polymask/inside_polygon.h",
)


def test_the_page_of_a_rung_has_its_facts_and_its_changes(staged):
    page = (staged / "rungs/openmp.prange.md").read_text(encoding="utf-8")
    facts = rung_facts.of(registry.get("openmp.prange"))
    assert f"- time: {facts['time']}\n" in page
    assert f"- result: [{facts['result']}](/{facts['result']})\n" in page
    assert "```diff\n--- 3_cclass/polygon.pyx" in page


def test_the_page_of_a_function_has_pictures_of_its_calls_and_links(staged):
    page = (staged / "reference/coco_to_rings.md").read_text(encoding="utf-8")
    scripts = re.findall(r"\]\(/source/docs/gallery/(\w+)\.py\.md\)", page)
    assert scripts == ["coco_rle", "coco"]
    assert "[](/docs/how_to/coco.md)" in page


def browsed(test):
    """Mark a test that opens the built site."""
    test = pytest.mark.weekly(test)
    without_sphinx, without_browser = not importlib.util.find_spec("sphinx"), not chromium.find()
    test = pytest.mark.skipif(without_sphinx, reason="`make docs` installs Sphinx")(test)
    return pytest.mark.skipif(without_browser, reason="needs Chromium")(test)


@pytest.fixture(scope="module")
def site():
    """Return the folder of the site, newly built."""
    subprocess.run(["make", "docs"], cwd=ROOT, check=True, stdout=sys.stderr)
    return ROOT / "build/site"


@pytest.fixture(scope="module")
def axe():
    """Return the text of axe.min.js, which `make docs` installs."""
    (folder,) = importlib.util.find_spec("axe_playwright_python").submodule_search_locations
    return Path(folder, "axe.min.js").read_text(encoding="utf-8")


@browsed
def test_every_link_and_image_of_the_built_site_has_a_target(site):
    """An image that a page shows is also loaded by the browser, and code of 100 columns fits."""
    assert set(release.broken_links(site)) == set()
    with chromium.Browser() as browser:
        for page in (p for p in site.rglob("*.html") if "<img" in p.read_text(encoding="utf-8")):
            browser.open(page.as_uri())
            browser.wait_for("[...document.images].every(image => image.complete)")
            unseen = "[...document.images].filter(e => !e.naturalWidth).map(e => e.src)"
            assert browser.evaluate(unseen) == [], page
        browser.open((site / "3_cclass/polygon.html").as_uri())
        room = "(pre => [pre.clientWidth, parseFloat(getComputedStyle(pre).fontSize)])"
        width, size = browser.evaluate(f"{room}(document.querySelector('article pre'))")
        assert size >= 14
        assert width > 100 * 0.602 * size  # the width of DejaVu Sans Mono


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@browsed
def test_pages_in_a_browser(site, axe, width, scheme):
    """Nothing is wider than the screen, the console stays empty, and axe-core finds no fault."""
    with chromium.Browser() as browser:
        browser.media(**{"prefers-color-scheme": scheme})
        for page in PAGES:
            browser.open((site / f"{page}.html").as_uri(), width=width)
            assert browser.evaluate("document.documentElement.scrollWidth") <= width
            browser.evaluate(f"{axe}; 0")
            faults = "run.violations.map(v => [v.id, ...v.nodes.map(node => node.html)])"
            run = f"axe.run({{preload: false}}).then(run => {faults})"  # it would fetch styles
            assert browser.evaluate(run) == [], page
        assert not browser.complaints
        assert all(address.startswith(("file:", "data:")) for address in browser.requests)
