"""What is installed: from an index that has wheels for each Python, or from a folder."""

import os
import shutil
import subprocess
import sys
from importlib import metadata

import checkouts
import pytest


@pytest.mark.proof("pyproject.toml", "setup.py", "Makefile")
def test_the_wheelhouse_installs_without_network(root, files, tmp_path):
    copies = [tmp_path / "with network", tmp_path / "without"]
    for copy in copies:
        checkouts.copy(files, root, copy)
    make = ["make", f"PYTHON={sys.executable}"]
    subprocess.run([*make, "wheelhouse"], cwd=copies[0], check=True, timeout=300)
    shutil.copytree(copies[0] / "wheelhouse", copies[1] / "wheelhouse")
    subprocess.run(
        [*make, ".venv/ready", "WHEELHOUSE=wheelhouse"],
        cwd=copies[1],
        env=os.environ | {"PIP_INDEX_URL": "http://127.0.0.1:9/"},  # nobody answers there
        check=True,
        timeout=300,
    )
    assert not list((copies[1] / "wheelhouse").glob("polymask-*"))


def wanted(extra, environment):
    """What the package asks for with an extra, on a machine with these values of markers."""
    requirements = pytest.importorskip("packaging.requirements")
    found = set()
    for text in metadata.requires("polymask"):
        one = requirements.Requirement(text)
        if one.marker and not one.marker.evaluate(environment | {"extra": extra}):
            continue
        if one.name == "polymask":
            found |= set().union(*(wanted(other, environment) for other in one.extras))
        else:
            found.add(f"{one.name}{one.specifier}")
    return found


@pytest.mark.weekly
@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13", "3.14"])
def test_what_make_installs_has_wheels_for(version, processor, tmp_path):
    """For each Python on Linux that README names: one package without would end both commands."""
    environment = {"python_version": version, "platform_machine": processor}
    packages = sorted(wanted("bench", environment) | wanted("dev", environment))
    glibc = [f"--platform=manylinux_2_{minor}_{processor}" for minor in (17, 24, 27, 28, 31, 34)]
    command = [sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--no-deps"]
    command += ["--ignore-installed", "--only-binary=:all:", f"--target={tmp_path}"]
    subprocess.run([*command, f"--python-version={version}", *glibc, *packages], check=True)
