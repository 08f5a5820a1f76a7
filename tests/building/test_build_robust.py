"""A clone that cannot be broken: whatever is done to it, the next build mends it.

All in the copy of conftest.py; test_build_fails.py has builds that do not come to their end.
"""

import json
import os
import shutil

import pytest
from cases import says
from checkouts import COMPILED, right

from polymask.ladder import registry

pytestmark = [
    pytest.mark.proof("setup.py", "Makefile", "polymask/building/*"),
]


# What is built at all.


def test_pip_install_in_a_clone_without_make(before_make):
    assert right(before_make)


def test_make_build_after_pip(built):
    assert right(built.masks())
    code = (
        "import polymask.cython.typed as t, polymask.contract as r; print(t.__file__, r.__file__)"
    )
    assert built.run(code).count(str(built.root)) == 2


def test_pip_install_after_make(built, tmp_path, empty):
    before = built.modules()
    (lib,) = (built.root / "build").glob("lib.*")  # what pip built before
    (lib / "polymask/deleted_since.py").touch()
    assert right(built.installed(tmp_path / "target", empty))
    assert not (tmp_path / "target/polymask/deleted_since.py").exists()
    assert built.modules() == before  # what is in place is not touched
    assert built.build() == (0, "")
    assert built.modules() == before


# Acts that change nothing.


def test_deleting_the_environment_and_moving_the_folder(built):
    """A .venv of another folder would run the code there: make sets up anew, and keeps the rest."""
    assert "--clear" not in built.check(["make", "-n", "build"])
    before = built.modules()
    home = built.root
    built.root = home.rename(home.with_name("moved"))
    try:
        assert "--clear .venv" in built.check(["make", "-n", "build"])
        shutil.rmtree(built.root / ".venv")
        assert "--clear .venv" in built.check(["make", "-n", "build"])
        built.set_up()
        assert "--clear" not in built.check(["make", "-n", "build"])
        assert built.build() == (0, "")
        assert built.modules() == before
        assert right(built.masks())
    finally:
        built.root = built.root.rename(home)
        built.set_up()


def test_an_environment_without_its_python_is_made_anew(built):
    python = built.root / ".venv/bin/python"
    kept = python.rename(python.with_name("kept"))
    try:
        assert "--clear .venv" in built.check(["make", "-n", "build"])
    finally:
        kept.rename(python)


@pytest.fixture
def own_cython(built):
    """The copy has a Cython of its own; return the folder."""
    own = built.site() / "Cython"
    shutil.copytree(built.run("import Cython; print(Cython.__path__[0])").strip(), own)
    yield own
    shutil.rmtree(own)


def test_touching_files(built, own_cython):
    before = built.modules()
    touched = [*own_cython.rglob("*.pxd"), *(built.root / "csrc").rglob("*.h*")]
    touched += [built.root / rung.file for rung in registry.RUNGS]
    assert len(touched) > 30
    for file in touched:
        os.utime(file)
    assert right(built.masks())  # not refused, either
    assert built.build() == (0, "")
    assert built.modules() == before


# Acts that change something.


def test_one_changed_rung_is_refused_and_then_renewed_alone(built, edit):
    before = built.modules()
    edit("0_python/tuples.py", "inside = False", "inside = bool(0)")
    masks = built.masks()
    assert masks["cython.compiled"] == (
        "polymask.cython.compiled is older than 0_python/tuples.py: run `make build`"
    )
    assert masks["python.tuples"] == masks["cython.typed"] == "good"
    assert built.build() == (0, "")
    assert right(built.masks())
    after = built.modules()
    assert {name for name in after if after[name] != before[name]} == {"compiled"}


def test_a_changed_header_renews_every_module(built, edit):
    before = built.modules()
    edit("csrc/inside_polygon.h", "#ifndef", "/* another line */\n#ifndef")
    header = built.root / "csrc/inside_polygon.h"
    os.utime(header, (0, 0))  # and that it looks older than the modules does not matter
    masks = built.masks()
    for key in COMPILED:
        assert says(masks[key], "older", "csrc/inside_polygon.h", "`make")
    assert built.build() == (0, "")
    after = built.modules()
    assert after.keys() == before.keys()
    assert all(after[name] > before[name] for name in after)
    assert right(built.masks())


def test_modules_that_were_deleted_damaged_or_exchanged_are_made_anew(built):
    files = {file.stem.split(".")[0]: file for file in built.files()}
    files["points"].unlink()
    files["polygon"].write_bytes(files["polygon"].read_bytes()[:5000])
    shutil.copy(files["typed"], files["_cyutility"])
    (built.root / "build/cython/polymask/_cyutility.c").write_text("half of a")
    (built.root / "build/store/libpolymask_engine.a").write_bytes(b"!<arch>\n")
    assert built.build() == (0, "")
    assert right(built.masks())


def test_a_module_that_setup_py_names_no_more_is_deleted(built):
    (record,) = (built.root / "build").glob("record-*.json")
    told = json.loads(record.read_text())
    told["made"]["polymask.cython.renamed"] = told["made"]["polymask.cython.typed"]
    record.write_text(json.dumps(told))
    (typed,) = built.root.glob("1_cython/typed.*.so")
    renamed = shutil.copy(typed, typed.with_name(typed.name.replace("typed", "renamed")))
    assert built.build() == (0, "")
    assert typed.exists()
    assert not renamed.exists()
    assert "polymask.cython.renamed" not in json.loads(record.read_text())["made"]


def test_an_upgrade_of_cython_renews(built, twin):
    first, again = twin()[1], twin()[1]
    assert again == first
    newer = built.site() / "Cython-99.0.dist-info"
    newer.mkdir()
    try:
        (newer / "METADATA").write_text("Metadata-Version: 2.1\nName: Cython\nVersion: 99.0\n")
        upgraded = twin()[1]
        assert upgraded > first
        assert twin()[1] == upgraded
    finally:
        shutil.rmtree(newer)


def test_other_flags_renew(twin):
    first = twin()[1]
    assert twin(CFLAGS="-O1")[1] > first
    assert twin("cclass.polygon", "--profile")[1] > first


def test_an_editable_install_over_a_build_compiles_nothing_and_keeps_openmp(built):
    before = built.modules()
    built.install("-e", ".")
    assert built.modules() == before
    assert right(built.masks())


def test_the_record_names_every_module(built):
    (record,) = (built.root / "build").glob("record-*.json")
    names = {name.rpartition(".")[2] for name in json.loads(record.read_text())["made"]}
    assert names - {"engine"} == built.modules().keys() - {"engine"}
