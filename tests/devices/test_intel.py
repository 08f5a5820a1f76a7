"""Intel's OpenCL runtime, which no loader knows of, is listed with the others."""

import os
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from polymask.devices import intel


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    """A driver of Intel's, and a system with another one."""
    system = tmp_path / "system"
    system.mkdir()
    (system / "other.icd").write_text("libother.so\n")
    monkeypatch.setattr(intel, "SYSTEM", system)
    monkeypatch.setattr(intel, "library", lambda: tmp_path / "libintelocl.so")
    monkeypatch.delenv(intel.VARIABLE, raising=False)
    return tmp_path


def shown():
    """What a loader that reads its folder now would find."""
    folder = Path(os.environ[intel.VARIABLE])
    return {file.name: file.read_text().strip() for file in folder.iterdir()}


def test_a_loader_is_shown_intels_driver_beside_the_systems(runtime):
    with intel.listed():
        folder = Path(os.environ[intel.VARIABLE])
        assert shown() == {
            "other.icd": "libother.so",
            "polymask-intel.icd": str(runtime / "libintelocl.so"),
        }
    assert intel.VARIABLE not in os.environ  # and nothing is left behind
    assert not folder.exists()


def test_a_folder_of_the_users_is_kept(runtime, monkeypatch):
    own = runtime / "own"
    own.mkdir()
    (own / "mine.icd").write_text("libmine.so\n")
    monkeypatch.setenv(intel.VARIABLE, str(own))
    with intel.listed():
        assert set(shown()) == {"mine.icd", "polymask-intel.icd"}
    assert os.environ[intel.VARIABLE] == str(own)


def test_a_single_driver_of_the_users_is_all_that_is_shown(runtime, monkeypatch):
    monkeypatch.setenv(intel.VARIABLE, "libmine.so")
    with intel.listed():
        assert os.environ[intel.VARIABLE] == "libmine.so"


def test_without_intels_packages_nothing_is_changed(runtime, monkeypatch):
    monkeypatch.setattr(intel, "library", lambda: None)
    with intel.listed():
        assert intel.VARIABLE not in os.environ


@pytest.mark.parametrize("missing", [None, *intel.PACKAGES])
def test_the_driver_counts_only_with_the_libraries_it_needs(missing, tmp_path, monkeypatch):
    """What pip wrote: files relative to its folder, the driver in another one."""

    def files(package):
        if package == missing:
            raise metadata.PackageNotFoundError(package)
        path = tmp_path / intel.PACKAGES[package]
        path.touch()
        return [SimpleNamespace(name=path.name, locate=lambda: path)]

    monkeypatch.setattr(metadata, "files", files)
    expected = None if missing else (tmp_path / "libintelocl.so").resolve()
    assert intel.library() == expected


# dpctl's loader


def test_dpctls_loader_is_named_the_driver_and_nothing_is_left_behind(runtime, monkeypatch):
    monkeypatch.delenv(intel.FILES, raising=False)
    with intel.named():
        assert os.environ[intel.FILES] == str(runtime / "libintelocl.so")
    assert intel.FILES not in os.environ


def test_a_users_own_files_come_first_and_stay(runtime, monkeypatch):
    monkeypatch.setenv(intel.FILES, "libmine.so")
    with intel.named():
        assert os.environ[intel.FILES] == f"libmine.so{os.pathsep}{runtime / 'libintelocl.so'}"
    assert os.environ[intel.FILES] == "libmine.so"


def test_without_intels_packages_no_file_is_named(runtime, monkeypatch):
    monkeypatch.delenv(intel.FILES, raising=False)
    monkeypatch.setattr(intel, "library", lambda: None)
    with intel.named():
        assert intel.FILES not in os.environ
