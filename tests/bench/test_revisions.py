"""Builds of other commits: made once, complete or not at all, with errors that explain."""

import json
import os
import subprocess
import sys

import pytest

from ladder.bench import revisions
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

print("a setup.py may say something")
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


def test_here_is_built_in_place_and_its_packages_are_known(repository, builds):
    tree = revisions.build_checkout(repository)
    assert tree.root == repository
    assert tree.packages == {"ladder.toy": str(repository / "0_toy")}
    assert builds.read_text().splitlines() == [str(repository)]


@pytest.mark.proof
def test_a_commit_is_built_once_and_kept(repository, builds):
    first = checkout.find("HEAD", repository)
    commit(repository, "raise SystemExit('the checkout has changed since')")
    git(repository, "checkout", "-q", first)
    revisions.build_checkout(repository)
    messages = []
    trees = [revisions.build_commit(first, repository, messages.append) for _ in range(2)]
    assert trees[0] == trees[1]
    assert len(messages) == 1
    assert len(builds.read_text().splitlines()) == 2  # the checkout and the commit
    assert kept_builds(repository) == {trees[0].root.name}
    assert trees[0].root.name.startswith(first)
    assert trees[0].packages == {"ladder.toy": str(trees[0].root / "0_toy")}


@pytest.mark.proof
def test_other_tools_make_another_build(repository, monkeypatch):
    head = checkout.find("HEAD", repository)
    roots = []
    for compiler in ("cc", "cc -O1", "cc"):
        monkeypatch.setenv("CC", compiler)
        revisions.build_checkout(repository)
        roots.append(revisions.build_commit(head, repository).root)
    assert roots[0] == roots[2] != roots[1]


@pytest.mark.proof
def test_the_checkout_and_its_index_stay_as_they_are(repository):
    head = checkout.find("HEAD", repository)
    (repository / "staged").write_text("a")
    git(repository, "add", "staged")
    (repository / "staged").write_text("b")
    (repository / "new").write_text("c")
    before = git(repository, "status", "--porcelain")
    revisions.build_checkout(repository)
    tree = revisions.build_commit(head, repository)
    assert git(repository, "status", "--porcelain") == before
    assert not (tree.root / "staged").exists()


@pytest.mark.parametrize("name", ["nothing", "--all", "HEAD:setup.py", ""])
def test_a_name_of_no_commit_is_bad_input(repository, name):
    with pytest.raises(ValueError, match=rf"^{name}: no commit of that name exists"):
        checkout.find(name, repository)


def test_outside_a_checkout_there_is_nothing_to_build(tmp_path):
    with pytest.raises(Unavailable, match=r"not one.*project"):
        revisions.build_checkout(tmp_path)


def test_a_commit_without_setup_py(repository):
    revisions.build_checkout(repository)
    (repository / "setup.py").unlink()
    git(repository, "commit", "-qam", "no setup.py")
    head = checkout.find("HEAD", repository)
    with pytest.raises(Unavailable, match=rf"^commit {head[:12]} has no setup.py"):
        revisions.build_commit(head, repository)
    assert kept_builds(repository) == set()


@pytest.mark.proof
def test_a_failed_build_shows_its_last_lines_and_leaves_nothing(repository):
    revisions.build_checkout(repository)
    failure = "print('\\n'.join(map(str, range(100)))); raise SystemExit('polygon.c:7: error')"
    head = commit(repository, SETUP.replace("WHAT_ELSE", failure))
    with pytest.raises(Unavailable) as error:
        revisions.build_commit(head, repository)
    lines = str(error.value).splitlines()
    assert lines[0] == f"the build of commit {head[:12]} failed with:"
    assert lines[-1].strip() == "polygon.c:7: error"
    assert len(lines) < 12
    assert kept_builds(repository) == set()


@pytest.mark.proof
def test_an_interrupted_build_is_not_used(repository, monkeypatch):
    revisions.build_checkout(repository)
    head = checkout.find("HEAD", repository)

    def interrupt(root, commit=None):
        assert (root / "setup.py").exists()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(revisions, "build", interrupt)
        with pytest.raises(KeyboardInterrupt):
            revisions.build_commit(head, repository)
    assert kept_builds(repository) == set()
    assert (revisions.build_commit(head, repository).root / "setup.py").exists()


@pytest.mark.proof
def test_two_at_once_build_once(repository, builds):
    revisions.build_checkout(repository)
    head = checkout.find("HEAD", repository)
    code = f"""
import pathlib
from ladder.bench import revisions
print(revisions.build_commit({head!r}, pathlib.Path({str(repository)!r})).root)
"""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for _ in range(2)
    ]
    outputs = {process.communicate(timeout=100)[0] for process in processes}
    assert len(outputs) == 1
    assert outputs != {b""}
    assert len(builds.read_text().splitlines()) == 2  # the checkout and the commit


def test_the_record_of_this_checkout_names_its_tools():
    if not staleness.RECORD.exists():
        pytest.skip("nothing was built in place here")
    record = json.loads(staleness.RECORD.read_text(encoding="utf-8"))
    assert {"python", "cython", "compilers"} <= record["tools"].keys()
    assert len(revisions.tools(staleness.ROOT)) == 12


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
