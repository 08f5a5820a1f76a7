"""Builds of other commits: made once, complete or not at all."""

import os
import subprocess

import pytest

from benchmarks.against import trees
from ladder.common import checkout, staleness
from polymask.contract import Unavailable

SETUP = f"""
import json, os, pathlib
from setuptools import setup
from setuptools.command.build_ext import build_ext

class Build(build_ext):
    def run(self):
        with open(os.environ["BUILDS"], "a") as log:
            log.write(os.getcwd() + "\\n")
        record = pathlib.Path("build/{staleness.RECORD.name}")
        record.parent.mkdir(exist_ok=True)
        tools = {{"compilers": os.environ.get("CC", "cc")}}
        record.write_text(json.dumps({{"format": 1, "tools": tools, "openmp": [], "made": {{}}}}))
        WHAT_ELSE

print("a setup.py may print something")
setup(packages=[], package_dir={{"ladder.toy": "0_toy"}}, cmdclass={{"build_ext": Build}})
"""


@pytest.fixture(autouse=True)
def builds(tmp_path, monkeypatch):
    """The file in which each build logs its folder; no variable names another repository."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("BUILDS", str(tmp_path / "builds"))
    return tmp_path / "builds"


def git(folder, *arguments):
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    completed = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return completed.stdout.strip()


def commit(folder, setup):
    (folder / "setup.py").write_text(setup)
    (folder / ".gitignore").write_text("build/\n")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "change")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path):
    """A checkout in a folder with a space and an umlaut."""
    folder = tmp_path / "mein Ördner"
    folder.mkdir()
    git(folder, "init", "-q")
    commit(folder, SETUP.replace("WHAT_ELSE", "pass"))
    return folder


def kept_builds(folder):
    return {file.name for file in (folder / "build/revisions").iterdir()} - {"lock"}


@pytest.mark.slow
def test_a_commit_is_built_once_with_the_same_tools(repository, builds, monkeypatch):
    """The checkout and its index stay as they are."""
    head = checkout.find("HEAD", repository)
    (repository / "staged").write_text("a")
    git(repository, "add", "staged")
    (repository / "staged").write_text("b")
    before = git(repository, "status", "--porcelain")
    own_tree = trees.build_checkout(repository)
    assert own_tree == trees.Tree(repository, {"ladder.toy": str(repository / "0_toy")})
    first, again = (trees.build_commit(head, repository) for _ in range(2))
    assert first == again
    assert first.packages == {"ladder.toy": str(first.root / "0_toy")}
    assert not (first.root / "staged").exists()
    assert git(repository, "status", "--porcelain") == before
    assert len(builds.read_text().splitlines()) == 2  # the checkout and the commit
    monkeypatch.setenv("CC", "cc -O1")
    trees.build_checkout(repository)
    other = trees.build_commit(head, repository)
    assert kept_builds(repository) == {first.root.name, other.root.name}
    assert first.root != other.root


@pytest.mark.slow
def test_a_build_that_fails_or_is_interrupted_leaves_nothing(repository, monkeypatch):
    trees.build_checkout(repository)
    failure = "print('\\n'.join(map(str, range(100)))); raise SystemExit('polygon.c:7: error')"
    bad = commit(repository, SETUP.replace("WHAT_ELSE", failure))
    with pytest.raises(Unavailable, match=rf"^the build of commit {bad[:12]} failed") as error:
        trees.build_commit(bad, repository)
    assert str(error.value).endswith("polygon.c:7: error")
    assert str(error.value).count("\n") == trees.LAST_LINES
    (repository / "setup.py").unlink()
    git(repository, "commit", "-qam", "no setup.py")
    with pytest.raises(Unavailable, match=r"has no setup\.py"):
        trees.build_commit(checkout.find("HEAD", repository), repository)

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(trees, "build", interrupt)
    with pytest.raises(KeyboardInterrupt):
        trees.build_commit(bad, repository)
    assert kept_builds(repository) == set()


def test_the_record_of_this_checkout_names_its_tools():
    if not staleness.RECORD.exists():
        pytest.skip("nothing was built in place here")
    assert len(trees.tools(staleness.ROOT)) == 12


@pytest.mark.parametrize("name", ["nothing", "--all", "HEAD:setup.py", ""])
def test_a_name_of_no_commit_is_bad_input(repository, name):
    with pytest.raises(ValueError, match=rf"^{name}: no commit of that name exists"):
        checkout.find(name, repository)


def test_a_checkout_of_another_user_is_reported_with_the_remedy(tmp_path, monkeypatch):
    message = f"fatal: detected dubious ownership in repository at '{tmp_path}'"
    remedy = f"git config --global --add safe.directory {tmp_path}"
    git = tmp_path / "git"
    git.write_text(f'#!/bin/sh\necho "{message}\n\n\t{remedy}" >&2\nexit 128\n')
    git.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(Unavailable, match="another user owns") as error:
        checkout.find("HEAD", tmp_path)
    assert remedy in error.value.what_to_do
    state = checkout.commit()
    assert state["commit"] is None
    assert remedy in state["commit_unknown"]
