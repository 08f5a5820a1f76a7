"""Installation from an index that has wheels for each Python, and from a folder."""

import os
import shutil
import subprocess
import sys
from importlib import metadata

import checkouts
import pytest


@pytest.mark.weekly
def test_the_wheelhouse_installs_without_network(root, files, tmp_path):
    copies = [tmp_path / "with network", tmp_path / "without"]
    for copy in copies:
        checkouts.copy(files, root, copy)
    make = ["make", f"PYTHON={sys.executable}"]
    others = "PYTHONS=3.10 3.14"
    subprocess.run([*make, "wheelhouse", others], cwd=copies[0], check=True, timeout=600)
    for wheels in ("numpy-*-cp310-*", "numpy-*-cp314-*", "tomli-*"):  # which 3.10 alone needs
        assert list((copies[0] / "wheelhouse").glob(wheels)), wheels
    shutil.copytree(copies[0] / "wheelhouse", copies[1] / "wheelhouse")
    subprocess.run(
        [*make, ".venv/ready", "WHEELHOUSE=wheelhouse"],
        cwd=copies[1],
        env=os.environ | {"PIP_INDEX_URL": "http://127.0.0.1:9/"},  # no server answers there
        check=True,
        timeout=300,
    )
    assert not list((copies[1] / "wheelhouse").glob("polymask-*"))


def required(extra, environment):
    """Return the package's requirements with an extra, on a machine with these marker values."""
    requirements = pytest.importorskip("packaging.requirements")
    packages = set()
    for text in metadata.requires("polymask"):
        requirement = requirements.Requirement(text)
        if requirement.marker and not requirement.marker.evaluate(environment | {"extra": extra}):
            continue
        if requirement.name == "polymask":
            packages |= set().union(*(required(other, environment) for other in requirement.extras))
        else:
            packages.add(f"{requirement.name}{requirement.specifier}")
    return packages


@pytest.mark.weekly
@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13", "3.14"])
def test_what_make_installs_has_wheels_for(version, processor, tmp_path):
    """For each Python on Linux in README: a package without wheels would fail both commands."""
    environment = {"python_version": version, "platform_machine": processor}
    packages = sorted(required("bench", environment))
    glibc = [f"--platform=manylinux_2_{minor}_{processor}" for minor in (17, 24, 27, 28, 31, 34)]
    command = [sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--no-deps"]
    command += ["--ignore-installed", "--only-binary=:all:", f"--target={tmp_path}"]
    subprocess.run([*command, f"--python-version={version}", *glibc, *packages], check=True)
