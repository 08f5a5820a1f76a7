"""`make release`: what it refuses, and the files that it makes, each of which it has tried."""

import shutil
import subprocess
import sys

import checkouts
import chromium
import pytest
import release
from commands import ran

GIT = "git", "-c", "user.name=tests", "-c", "user.email=tests@localhost"


def commit(folder):
    """Commit the files of a folder."""
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "All"]):
        ran([*GIT, *command], cwd=folder, check=True)


def refusal():
    """Return the line of the refusal."""
    with pytest.raises(SystemExit) as refused:
        release.refuse()
    (line,) = str(refused.value).splitlines()
    return line


def test_only_a_clean_tree_with_an_entry_is_released(tmp_path, monkeypatch):
    monkeypatch.setattr(release, "ROOT", tmp_path)
    (tmp_path / "csrc/engine").mkdir(parents=True)
    (tmp_path / "csrc/engine/VERSION").write_text("1.2.0\n")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.0 (soon)\n")
    commit(tmp_path)
    assert release.refuse() == "1.2.0"
    (tmp_path / "new.py").touch()
    assert "uncommitted: new.py; commit" in refusal()
    (tmp_path / "csrc/engine/VERSION").write_text("1.2\n")
    assert "VERSION and 1 more; commit" in refusal()
    commit(tmp_path)
    assert "no entry for 1.2: add a heading, ## 1.2" in refusal()


def test_links_without_a_target_are_found(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/here it is.html").write_text(
        '<a href="../index.html#top"> <a href="https://docs.python.org/3/"> <a href="#end">'
        """<script>'<a href="a script.html">'</script> <img src="data:image/png;base64,">"""
    )
    page = '<a href="a/here%20it%20is.html?q=1"> <img src="picture.svg"> <a id="top" href="/a/">'
    (tmp_path / "index.html").write_text(page)
    assert sorted(release.broken_links(tmp_path)) == [
        ("a/here it is.html", "#end"),
        ("index.html", "/a/#"),
        ("index.html", "picture.svg#"),
    ]


@pytest.mark.weekly
@pytest.mark.skipif(not (shutil.which("cmake") and chromium.find()), reason="for engine and site")
def test_all_files_are_made_and_tried(root, files, tmp_path, monkeypatch, capsys):
    pytest.importorskip("build")
    subprocess.run(["make", "docs"], cwd=root, check=True, stdout=subprocess.DEVNULL)
    checkouts.copy(files, root, tmp_path)
    commit(tmp_path)
    shutil.copytree(root / "build/site", tmp_path / "build/site")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["release.py"])
    release.main()
    version, made = release.refuse(), tmp_path / "build/release"
    archives = {f"polymask{part}-{version}.tar.gz" for part in ("", "-engine", "-site")}
    names = {file.name for file in made.iterdir()}
    (wheel,) = names - archives - {"SHA256SUMS"}
    assert names > archives
    assert wheel.startswith(f"polymask-{version}-cp")
    report = capsys.readouterr().out
    assert all(f"{name}: " in report for name in archives)
    release.check(["sha256sum", "--check", "--strict", "SHA256SUMS"], made)
    assert len((made / "SHA256SUMS").read_text().splitlines()) == 4
