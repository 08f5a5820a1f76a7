"""Links to the project's own addresses: none until it is published, then all from one address."""

import importlib.util
import re
import shutil
import subprocess

import pytest
from checkouts import ROOT

spec = importlib.util.spec_from_file_location("published", ROOT / "docs/site/published.py")
published = importlib.util.module_from_spec(spec)
spec.loader.exec_module(published)

# Addresses of a project called polymask, where such projects are published.
OWN = re.compile(
    r"https?://(?:www\.)?(?:\S*\bpolymask\b[^\s)\"'>]*|(?:codespaces\.new|mybinder\.org)[^\s)\"'>]*)"
)
EXAMPLE = "https://github.com/OWNER/NAME"
TEXTS = {".md", ".toml", ".cff", ".ipynb", ".json", ".yml", ".j2", ".jinja", ".html"}


def addresses(folder, names):
    """Return the project's own addresses in files."""
    return {found for name in names for found in OWN.findall((folder / name).read_text("utf-8"))}


@pytest.fixture
def pages(tmp_path):
    """Copies of the files with marked lines, and a function that sets the repository's address."""
    for name in "pyproject.toml", *published.LINES:
        shutil.copy(ROOT / name, tmp_path)
    project = tmp_path / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    (commented,) = re.findall(r"^# urls\.Repository = .*\n", text, re.M)

    def publish(line):
        project.write_text(text.replace(commented, line), encoding="utf-8")
        published.main(tmp_path)
        return {name: (tmp_path / name).read_text(encoding="utf-8") for name in published.LINES}

    return publish


def test_nothing_is_linked_before_it_is_published(pages, files):
    names = [str(file.relative_to(ROOT)) for file in files if file.suffix in TEXTS]
    assert len(names) > 300
    assert addresses(ROOT, names) == {"https://github.com/OWNER/polymask"}  # the comment
    for name, text in pages("").items():
        assert text == (ROOT / name).read_text(encoding="utf-8"), name


def test_one_address_turns_all_links_on_and_off(pages, tmp_path):
    address = "https://github.com/Somebody/polymask-course"
    pages(f'urls.Repository = "{address}"\n')
    links = set(published.links(address).values())
    assert addresses(tmp_path, published.LINES) == links
    assert all(re.search(r"\bsomebody\b.*\bpolymask-course\b", link, re.I) for link in links)
    pages("")
    assert addresses(tmp_path, published.LINES) == set()


def test_an_address_from_which_no_other_follows_is_refused(pages):
    with pytest.raises(SystemExit, match=r"^pyproject.toml: urls.Repository must be like "):
        pages('urls.Repository = "https://gitlab.com/somebody/polymask"\n')


@pytest.mark.weekly
def test_linked_pages_are_in_the_site():
    subprocess.run(["make", "docs"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    linked = [link.partition("github.io/NAME/")[2] for link in published.links(EXAMPLE).values()]
    assert len([*filter(None, linked)]) == 4
    assert all((ROOT / "build/site" / page).exists() for page in linked)
