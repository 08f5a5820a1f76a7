"""A room without network: what `make wheelhouse` carries along is enough."""

import os
import shutil
import subprocess
import sys

import checkouts
import pytest


@pytest.mark.slow
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
