"""A clone that cannot be broken: after any change, the next build repairs it.

All tests use the copy from conftest.py; test_build_fails.py has builds that do not finish.
"""

import json
import os
import shutil
import sys
import sysconfig

import pytest
from cases import says
from checkouts import COMPILED, right

pytestmark = pytest.mark.slow


@pytest.mark.weekly
def test_pip_install_after_make(clone, tmp_path):
    """Without make, test_packaging.py installs."""
    assert right(clone.masks())
    before = clone.modules()
    name = f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
    older = clone.root / "build" / name / "polymask/deleted_since.py"  # by an older build
    older.parent.mkdir(parents=True)
    older.touch()
    assert clone.installed(tmp_path / "target", tmp_path)
    assert (older.parent / "__init__.py").exists()
    assert not (tmp_path / "target/polymask/deleted_since.py").exists()
    clone.install("-e", ".")
    assert clone.build() == (0, "")
    assert clone.modules() == before  # modules in place are not touched


def test_deleting_the_environment_and_moving_the_folder(clone):
    """A moved .venv would run code in its old folder: make recreates it and keeps the rest.

    So it does if the environment has lost its Python.
    """
    assert "--clear" not in clone.check(["make", "-n", "build"])
    before = clone.modules()
    home = clone.root
    clone.root = home.rename(home.with_name("moved"))
    try:
        assert "--clear .venv" in clone.check(["make", "-n", "build"])
        clone.python.unlink()
        assert "--clear .venv" in clone.check(["make", "-n", "build"])
        shutil.rmtree(clone.root / ".venv")
        assert "--clear .venv" in clone.check(["make", "-n", "build"])
        clone.set_up()
        assert "--clear" not in clone.check(["make", "-n", "build"])
        assert clone.build() == (0, "")
        assert clone.modules() == before
        assert right(clone.masks())
    finally:
        clone.root = clone.root.rename(home)
        clone.set_up()


def test_the_first_build_ends_with_the_next_lines_to_type(clone):
    (clone.root / ".venv/built").unlink()
    last = ["    source .venv/bin/activate", "    polymask workshop"]
    assert clone.build()[1].splitlines()[-2:] == last
    assert clone.build() == (0, "")


def test_one_changed_rung_is_refused_and_then_renewed_alone(clone, edit):
    before = clone.modules()
    edit("0_python/tuples.py", "inside = False", "inside = bool(0)")
    masks = clone.masks()
    assert masks["cython.compiled"] == (
        "ladder.cython.compiled is older than 0_python/tuples.py: run `make build`"
    )
    assert masks["python.tuples"] == masks["cython.typed"] == "good"
    assert clone.build() == (0, "")
    assert right(clone.masks())
    after = clone.modules()
    assert {name for name in after if after[name] != before[name]} == {"compiled"}


@pytest.mark.weekly
def test_a_changed_header_renews_every_module(clone, edit):
    before = clone.modules()
    edit("csrc/engine/include/polymask/inside_polygon.h", "#ifndef", "/* another line */\n#ifndef")
    header = clone.root / "csrc/engine/include/polymask/inside_polygon.h"
    os.utime(header, (0, 0))  # that it looks older than the modules does not matter
    masks = clone.masks()
    for key in COMPILED:
        assert says(masks[key], "older", "csrc/engine/include/polymask/inside_polygon.h", "`make")
    assert clone.build() == (0, "")
    after = clone.modules()
    assert after.keys() == before.keys()
    assert all(after[name] > before[name] for name in after)
    assert right(clone.masks())


def test_a_module_that_setup_py_names_no_more_is_deleted(clone):
    (record,) = (clone.root / "build").glob("record-*.json")
    content = json.loads(record.read_text())
    content["made"]["ladder.cython.renamed"] = content["made"]["ladder.cython.typed"]
    record.write_text(json.dumps(content))
    (typed,) = clone.root.glob("1_cython/typed.*.so")
    renamed = shutil.copy(typed, typed.with_name(typed.name.replace("typed", "renamed")))
    assert clone.build() == (0, "")
    assert typed.exists()
    assert not renamed.exists()
    assert "ladder.cython.renamed" not in json.loads(record.read_text())["made"]


def test_other_flags_renew(twin):
    first = twin()[1]
    assert twin(CFLAGS="-O1")[1] > first
    assert twin("cclass.polygon", "--profile")[1] > first
