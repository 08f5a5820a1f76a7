"""Builds of other commits, and the commit of a checkout."""

import os
import subprocess

import pytest

from benchmarks.against import trees
from ladder.common import checkout
from polymask.contract import Unavailable

SETUP = """
from setuptools import setup
from setuptools.command.build_ext import build_ext

class Build(build_ext):
    def run(self):
        WHAT

print("a setup.py may print something")
setup(packages=[], package_dir={"ladder.toy": "0_toy"}, cmdclass={"build_ext": Build})
"""


@pytest.fixture(autouse=True)
def _no_other_repository(monkeypatch):
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)


def git(folder, *arguments):
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    completed = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return completed.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    """A checkout in a folder with a space and an umlaut."""
    folder = tmp_path / "mein Ördner"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "setup.py").write_text(SETUP.replace("WHAT", "pass"))
    (folder / ".gitignore").write_text("build/\n")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "first")
    return folder


@pytest.mark.slow
def test_a_commit_is_built_in_a_folder_of_its_own(repository):
    """The checkout and its index stay as they are."""
    head = checkout.find("HEAD", repository)
    (repository / "setup.py").write_text("changed")
    git(repository, "add", ".")
    before = git(repository, "status", "--porcelain")
    folder = trees.exported(head, repository)
    assert trees.exported(head, repository) == folder
    assert trees.build(folder).packages == {"ladder.toy": str(folder / "0_toy")}
    assert git(repository, "status", "--porcelain") == before


@pytest.mark.slow
def test_a_build_that_fails_is_reported_with_its_last_lines(repository):
    failure = "print('\\n'.join(map(str, range(100)))); raise SystemExit('polygon.c:7: error')"
    (repository / "setup.py").write_text(SETUP.replace("WHAT", failure))
    with pytest.raises(Unavailable, match=r"^the build of .*Ördner failed") as error:
        trees.build(repository)
    assert str(error.value).endswith("polygon.c:7: error")
    assert str(error.value).count("\n") == trees.LAST_LINES


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
