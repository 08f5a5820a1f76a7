"""The files for Binder and development containers build the checkout and the notebooks' kernel."""

import json
import sys
from pathlib import Path

import pytest
from checkouts import Checkout
from commands import ran


@pytest.mark.weekly
@pytest.mark.skipif(sys.platform == "win32", reason="Binder runs Linux")
def test_the_kernel_of_the_notebooks_is_the_built_checkout(root, tmp_path):
    container = json.loads((root / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    copy = Checkout(root, tmp_path / "polymask")
    code, output = copy.call([container["postCreateCommand"]], HOME=str(tmp_path))
    assert code == 0, output
    (spec,) = tmp_path.rglob("kernels/python3/kernel.json")
    python = json.loads(spec.read_text(encoding="utf-8"))["argv"][0]
    assert Path(python) == copy.root / ".venv/bin/python"
    program = "import jupyterlab; from ladder.openmp.prange import make_mask; import polymask"
    done = ran([python, "-c", program], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
