"""The lessons are short: the words of their pages, and the minutes that they name."""

import re

import pytest
from checkouts import ROOT

from ladder import registry
from ladder.workshop import exercises

OF_RUNG, OTHER, README, CORE_PATH = 900, 1500, 600, 15_000  # words at most, with code and tables
PER_MINUTE = 200
CORE_PAGES, CORE_LESSONS = 13, "01234569"
# The head of a page: whether it is of the core path, its minutes to read and for experiments.
HEAD = re.compile(r"^\*(Core path|More): (\d+) minutes? to read(?:, (\d+) for|[,.])", re.M)
ROW = re.compile(r"^\| \w+ \| \[[^]]*\]\((\w+\.md)\).*\| (\d+)(?: \+ \d+)? \|$", re.M)
TEXTS = {
    file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8")
    for file in sorted(ROOT.glob("[0-9]_*/*.md"))
}
READMES = [page for page in TEXTS if page.endswith("README.md")]
PAGES = [page for page in TEXTS if page not in READMES]
RUNGS = {rung.page for rung in registry.RUNGS}


def words(page):
    """Return the number of words of a page, everything counted."""
    return len(TEXTS[page].split())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_short_and_its_minutes_are_right(page):
    assert words(page) <= (OF_RUNG if page in RUNGS else OTHER)
    minutes = [int(number) for _, number, _ in HEAD.findall(TEXTS[page])]
    assert minutes == [-(-words(page) // PER_MINUTE)]


@pytest.mark.parametrize("readme", READMES)
def test_a_lesson_is_short_and_lists_its_core_path_with_right_minutes(readme):
    assert words(readme) <= README
    folder = readme.removesuffix("README.md")
    listed = {folder + page: minutes for page, minutes in ROW.findall(TEXTS[readme])}
    assert listed == {page: HEAD.search(TEXTS[page])[2] for page in listed}
    assert {page for page in PAGES if page.startswith(folder) and is_core(page)} <= set(listed)


def test_readme_shows_the_minutes_of_every_lesson():
    """To read its thread and the pages of the core path, for their experiments, for exercises."""
    row = r"^\| \[[^]]*\]\((\w+)/README.md\) \| .* \| (\d+) \| (\d+) \| (\d+) \|$"
    rows = re.findall(row, (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    lessons = {folder: [*map(int, minutes)] for folder, *minutes in rows}
    assert lessons.keys() == {rung.folder for rung in registry.RUNGS}
    for folder, minutes in lessons.items():
        pages = [rung.page for rung in registry.RUNGS if rung.folder == folder]
        heads = [HEAD.search(TEXTS[page]).groups("0") for page in pages]
        core = [head for head in heads if head[0] == "Core path"] or heads
        thread = -(-words(f"{folder}/README.md") // PER_MINUTE)
        own = [e.minutes for e in exercises.every() if e.folder.parents[1].name == folder]
        read, tried = (sum(int(head[at]) for head in core) for at in (1, 2))
        assert minutes == [thread + read, tried, sum(own)], folder


def is_core(page):
    """Return whether a page is marked as part of the core path."""
    return "\n*Core path: " in TEXTS[page]


def test_the_core_path_is_short():
    core = list(filter(is_core, PAGES))
    assert len(core) == CORE_PAGES
    core += [readme for readme in READMES if readme[0] in CORE_LESSONS]
    assert sum(map(words, core)) <= CORE_PATH
