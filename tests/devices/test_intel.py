"""Intel's OpenCL runtime, which loaders do not find by themselves, is listed with the others."""

import os
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from ladder.devices import intel


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    """Intel's driver, and a system with another driver."""
    system = tmp_path / "system"
    system.mkdir()
    (system / "other.icd").write_text("libother.so\n")
    monkeypatch.setattr(intel, "SYSTEM", system)
    monkeypatch.setattr(intel, "library", lambda: tmp_path / "libintelocl.so")
    monkeypatch.delenv(intel.VARIABLE, raising=False)
    return tmp_path


def drivers():
    """Return the drivers that a loader would find now: the files of a folder, or a single one."""
    value = os.environ.get(intel.VARIABLE)
    if value is None or not Path(value).is_dir():
        return value
    return {file.name: file.read_text().strip() for file in Path(value).iterdir()}


@pytest.mark.parametrize("own", [None, "folder", "libmine.so"])
@pytest.mark.parametrize("installed", [True, False])
def test_a_loader_is_shown_intels_driver_beside_the_others(own, installed, runtime, monkeypatch):
    """A user's folder is kept; a user's single driver remains the only one."""
    if own == "folder":
        own = str(runtime / "own")
        Path(own).mkdir()
        Path(own, "mine.icd").write_text("libmine.so\n")
    if own:
        monkeypatch.setenv(intel.VARIABLE, own)
    if not installed:
        monkeypatch.setattr(intel, "library", lambda: None)
    before = drivers()
    expected = before
    if installed and own != "libmine.so":
        expected = {"polymask-intel.icd": str(runtime / "libintelocl.so")}
        expected |= {"mine.icd": "libmine.so"} if own else {"other.icd": "libother.so"}
    with intel.listed():
        folder = os.environ.get(intel.VARIABLE)
        assert drivers() == expected
    assert os.environ.get(intel.VARIABLE) == own  # the variable is restored
    assert drivers() == before
    assert folder == own or not Path(folder).exists()


@pytest.mark.parametrize("own", [None, "libmine.so"])
@pytest.mark.parametrize("installed", [True, False])
def test_dpctls_loader_is_named_the_driver_behind_the_users(own, installed, runtime, monkeypatch):
    monkeypatch.delenv(intel.FILES, raising=False)
    if own:
        monkeypatch.setenv(intel.FILES, own)
    if not installed:
        monkeypatch.setattr(intel, "library", lambda: None)
    files = [own] if own else []
    files += [str(runtime / "libintelocl.so")] if installed else []
    with intel.named():
        assert os.environ.get(intel.FILES) == (os.pathsep.join(files) or None)
    assert os.environ.get(intel.FILES) == own


@pytest.mark.parametrize("missing", [None, *intel.PACKAGES])
def test_the_driver_counts_only_with_the_libraries_it_needs(missing, tmp_path, monkeypatch):
    """pip lists files relative to its folder; the driver is in another one."""

    def files(package):
        if package == missing:
            raise metadata.PackageNotFoundError(package)
        path = tmp_path / intel.PACKAGES[package]
        path.touch()
        return [SimpleNamespace(name=path.name, locate=lambda: path)]

    monkeypatch.setattr(metadata, "files", files)
    expected = None if missing else (tmp_path / "libintelocl.so").resolve()
    assert intel.library() == expected
