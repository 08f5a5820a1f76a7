"""Extras in CI: what POLYMASK_EXTRAS names is installed, and tests that need it must run."""

import shutil
import subprocess
import sys

import pytest
from commands import ran


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
@pytest.mark.parametrize("asked", ["", "sycl,cuda"])
def test_ci_installs_what_is_asked_for_before_it_tests(asked, root, tmp_path):
    """And nothing else: make is one that writes down what it is called with."""
    (tmp_path / ".ci").mkdir()
    ci = shutil.copy(root / ".ci/run", tmp_path / ".ci")
    make = tmp_path / "make"
    make.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/calls"\n')
    make.chmod(0o755)
    path = f"{tmp_path}:/usr/bin:/bin"
    environment = {"PATH": path, "POLYMASK_EXTRAS": asked}
    subprocess.run([ci], env=environment, check=True)
    calls = (tmp_path / "calls").read_text().splitlines()
    extras = [f"extras EXTRAS={asked}"] if asked else []
    tests = ["build", "engine", "lint", "proofs", "test", "slow"]
    assert calls == [".venv/ready", *extras, *tests]


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_make_extras_installs_each_and_builds(root):
    command = ["make", "-n", "extras", "EXTRAS=sycl,cuda", f"PYTHON={sys.executable}"]
    said = ran(command, cwd=root, check=True).stdout
    for extra in "sycl", "cuda":
        assert f'-e ".[{extra}]"' in said or (root / f".venv/extra-{extra}").exists()
    assert "build_ext --inplace" in said
