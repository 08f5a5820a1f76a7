"""Extras in CI: those in POLYMASK_EXTRAS are installed, and tests that need them must run."""

import shutil
import subprocess
import sys

import pytest
from commands import ran


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
@pytest.mark.parametrize("names", ["", "sycl,cuda"])
def test_ci_installs_the_requested_extras_before_it_tests(names, root, tmp_path):
    """And nothing else: a fake make logs its arguments."""
    (tmp_path / ".ci").mkdir()
    ci = shutil.copy(root / ".ci/run", tmp_path / ".ci")
    make = tmp_path / "make"
    make.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/calls"\n')
    make.chmod(0o755)
    path = f"{tmp_path}:/usr/bin:/bin"
    environment = {"PATH": path, "POLYMASK_EXTRAS": names}
    subprocess.run([ci], env=environment, check=True)
    calls = (tmp_path / "calls").read_text().splitlines()
    extras = [f"extras EXTRAS={names}"] if names else []
    tests = ["build", "engine", "lint", "proofs", "test", "slow"]
    assert calls == [".venv/extra-dev", *extras, *tests]


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_make_extras_installs_each_and_builds(root):
    command = ["make", "-n", "extras", "EXTRAS=sycl,cuda", f"PYTHON={sys.executable}"]
    output = ran(command, cwd=root, check=True).stdout
    for extra in "sycl", "cuda":
        assert f'-e ".[{extra}]"' in output or (root / f".venv/extra-{extra}").exists()
    assert "build_ext --inplace" in output
