"""Twins of compiled rungs, built again for a profiler."""

import sys

import numpy as np
import pytest

from ladder import registry
from ladder.common import staleness
from ladder.profiling import twin
from ladder.registry import reference
from polymask import contract


def test_a_build_that_fails_says_why(monkeypatch, tmp_path):
    code = "import sys; sys.exit('much\\nerror: no compiler')"
    monkeypatch.setattr(twin.sys, "executable", _program(tmp_path, code))
    with pytest.raises(contract.Unavailable, match="error: no compiler"):
        twin.build(registry.get("cclass.polygon"))


def _program(folder, code):
    """Return an executable that runs this Python code, whatever its arguments are."""
    file = folder / "program"
    file.write_text(f"#!{sys.executable}\n{code}\n")
    file.chmod(0o700)
    return str(file)


@pytest.mark.slow
def test_the_twin_lives_elsewhere_and_the_measured_module_stays_what_it_is():
    rung, triangle = registry.get("cython.typed"), [(0, 0), (6, 1), (2, 5)]
    before = rung.module()
    file = twin.build(rung)
    make_mask = twin.load(rung, file)
    assert file.is_relative_to(twin.ROOT / "build" / "profile")
    assert rung.module() is before is sys.modules["ladder.cython.typed"]
    assert not before.__file__.startswith(str(twin.ROOT / "build"))
    assert make_mask is not before.make_mask
    assert np.array_equal(make_mask(triangle, (8, 9)), reference.mask(triangle, (8, 9)))
    times = {path: path.stat().st_mtime for path in (file, staleness.RECORD)}
    assert twin.build(rung) == file
    assert times == {path: path.stat().st_mtime for path in times}  # nothing is built again
