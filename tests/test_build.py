"""The build: importing refuses what is stale, and a build that fails leaves nothing stale behind.

The slow tests build in a copy of the checkout, as a user does: by `make build`.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
from pathlib import Path

import pytest

from polymask import _fresh, rungs

# The guard: with modules and inputs of its own, never with the times of the real files.


@pytest.fixture
def stale(tmp_path, monkeypatch):
    """A guard, a module `made_from` in a folder of the path, and the file that it is made from."""
    module, source = tmp_path / "made_from.py", tmp_path / "source.pyx"
    module.write_text("answer = 42\n")
    source.touch()
    set_age(module, 10)
    set_age(source, 20)
    guard = _fresh.Guard({"made_from": ["no such file", str(source)]})
    monkeypatch.setattr(sys, "meta_path", [guard, *sys.meta_path])
    monkeypatch.syspath_prepend(tmp_path)
    yield source
    sys.modules.pop("made_from", None)


def set_age(path, seconds):
    """Let the file's last change lie so many seconds back."""
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_a_module_newer_than_its_inputs_is_imported(stale):
    import made_from

    assert made_from.answer == 42


def test_a_module_older_than_an_input_is_refused(stale):
    set_age(stale, 0)
    with pytest.raises(ImportError) as raised:
        import made_from  # noqa: F401
    assert isinstance(raised.value, _fresh.StaleModule)
    assert str(raised.value) == f"made_from is older than {stale}: run `make build`"
    assert raised.value.name == "made_from"


def test_an_input_that_is_gone_refuses_nothing(stale):
    stale.unlink()
    import made_from

    assert made_from.answer == 42


def test_a_module_that_is_gone_is_not_found(stale):
    (stale.parent / "made_from.py").unlink()
    with pytest.raises(ModuleNotFoundError):
        import made_from  # noqa: F401


def test_other_modules_are_not_the_guards_business(stale):
    assert _fresh.Guard({}).find_spec("made_from", [str(stale.parent)]) is None


def test_a_stale_rung_is_unavailable_and_says_why(stale):
    name = "polymask.made_from"
    sys.meta_path.insert(0, _fresh.Guard({name: [str(stale)]}))
    set_age(stale, 0)
    import polymask

    polymask.__path__.append(str(stale.parent))
    try:
        with pytest.raises(rungs.Unavailable, match=r"older than .*: run `make build`$"):
            rungs.Rung("made_from", "", "", "", "", None, None).load()
    finally:
        polymask.__path__.pop()


def test_the_guard_stands_once_and_only_where_there_was_a_build(tmp_path, monkeypatch):
    others = [finder for finder in sys.meta_path if not isinstance(finder, _fresh.Guard)]
    monkeypatch.setattr(sys, "meta_path", others.copy())
    monkeypatch.setattr(_fresh, "INPUTS", tmp_path / "inputs.json")
    _fresh.guard()
    assert sys.meta_path == others
    (tmp_path / "inputs.json").write_text('{"polymask.some": ["setup.py"]}')
    _fresh.guard()
    _fresh.guard()
    assert isinstance(sys.meta_path[0], _fresh.Guard)
    assert sys.meta_path[0].inputs == {"polymask.some": ["setup.py"]}
    assert sys.meta_path[1:] == others


def test_this_checkout_is_guarded():
    if not _fresh.INPUTS.exists():
        pytest.skip("no build in place here")
    guards = [finder for finder in sys.meta_path if isinstance(finder, _fresh.Guard)]
    assert len(guards) == 1
    inputs = guards[0].inputs
    assert {"1_cython/typed.pyx", "csrc/inside_polygon.h", "setup.py"} <= {
        *inputs["polymask.cython.typed"]
    }
    assert "0_python/tuples.py" in inputs["polymask.cython.compiled"]
    assert "csrc/points_inside_polygon.c" in inputs["polymask.clib.points"]
    for sources in inputs.values():
        assert [file for file in sources if not (_fresh.ROOT / file).exists()] in (
            [],
            ["polymask/_cyutility.c"],  # written under build/
        )


# `make build` in a copy.


class Checkout:
    """A copy of this checkout with an environment of its own that is set up already."""

    def __init__(self, root, folder):
        self.root = folder
        left_out = ".git", ".venv", "*.egg-info", "__pycache__", ".pytest_cache", ".ruff_cache"
        # with the times of the files: what is built already is not built again
        shutil.copytree(root, folder, ignore=shutil.ignore_patterns(*left_out))
        venv.create(folder / ".venv", symlinks=True)
        self.python = folder / ".venv/bin/python"
        # The packages of this environment, but not the polymask in it: a .pth in there is not read.
        site = Path(self.run("import sysconfig; print(sysconfig.get_path('purelib'))").stdout[:-1])
        (site / "outer.pth").write_text(sysconfig.get_path("purelib") + "\n")
        self.install = [self.python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        self.install += ["--no-build-isolation", "--no-deps", "--no-index"]
        self.check([*self.install, "-e", "."], POLYMASK_BUILD="later")
        (folder / ".venv/here").write_text(f"{folder}\n")
        (folder / ".venv/tools").touch()
        (folder / ".venv/ready").touch()

    def call(self, command, **environment):
        # a make that called pytest would make the make in here talk of folders
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
        return subprocess.run(
            command,
            cwd=self.root,
            env={**inherited, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
            check=False,
        )

    def check(self, command, **environment):
        done = self.call(command, **environment)
        assert done.returncode == 0, done.stdout
        return done

    def build(self, **environment):
        return self.call(["make", "build"], **environment)

    def run(self, code):
        return self.check([self.python, "-c", code])

    def load(self, key):
        """Load a rung and make a mask: a line that says `good`, or why not."""
        code = f"""
import numpy as np
from polymask import reference, rungs, workload
try:
    make_mask = rungs.get("{key}").load()
except rungs.Unavailable as error:
    print(error)
else:
    vertices = workload.polygon(7, (20, 30))
    good = np.array_equal(make_mask(vertices, (20, 30)), reference.mask(vertices, (20, 30)))
    print("good" if good else "wrong")
"""
        return self.run(code).stdout.strip()

    def modules(self):
        """The built modules, and when each was made."""
        return {file.stem.split(".")[0]: file.stat().st_mtime_ns for file in self.files()}

    def files(self):
        return [*self.root.glob("[0-9]_*/*.so"), *self.root.glob("polymask/*.so")]


@pytest.fixture(scope="module")
def built(root, tmp_path_factory):
    """One copy, built; each test leaves it built and as it was."""
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    if not (root / "Makefile").exists():
        pytest.skip("not in a checkout")
    checkout = Checkout(root, tmp_path_factory.mktemp("build") / "a checkout")
    done = checkout.build()
    assert done.returncode == 0, done.stdout
    return checkout


@pytest.fixture
def edit(built):
    """Return a function that changes a file of the copy; it is put back, and built, afterwards."""
    texts = {}

    def change(name, old, new):
        file = built.root / name
        text = file.read_text()
        texts.setdefault(file, text)
        assert old in text
        file.write_text(text.replace(old, new, 1))

    yield change
    for file, text in texts.items():
        file.write_text(text)
    done = built.build()
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_the_copy_runs_its_own_code(built):
    code = "import polymask.cython.typed as t, polymask.rungs as r; print(t.__file__, r.__file__)"
    assert built.run(code).stdout.count(str(built.root)) == 2
    for rung in rungs.RUNGS:
        if rung.key.startswith(("python.", "cython.", "clib.", "cclass.")):
            assert built.load(rung.key) == "good", rung.key


@pytest.mark.slow
def test_a_second_build_compiles_nothing(built):
    before = built.modules()
    done = built.build(CC="false", CXX="false")  # a compiler that always fails
    assert (done.returncode, done.stdout) == (0, "")
    assert built.modules() == before


@pytest.mark.slow
def test_an_environment_of_another_folder_is_made_anew(built):
    """A clone that was moved with its .venv would run the code of the old clone."""
    assert "--clear" not in built.call(["make", "-n", "build"]).stdout
    here = built.root / ".venv/here"
    here.write_text("/somewhere/else\n")
    try:
        assert "--clear .venv" in built.call(["make", "-n", "build"]).stdout
    finally:
        here.write_text(f"{built.root}\n")


@pytest.mark.slow
def test_one_changed_rung_is_refused_and_then_renewed_alone(built, edit):
    before = built.modules()
    edit("0_python/tuples.py", "inside = False", "inside = bool(0)")
    assert built.load("cython.compiled") == (
        "polymask.cython.compiled is older than 0_python/tuples.py: run `make build`"
    )
    assert built.load("python.tuples") == "good"
    assert built.load("cython.typed") == "good"
    assert built.build().returncode == 0
    assert built.load("cython.compiled") == "good"
    after = built.modules()
    assert {name for name in after if after[name] != before[name]} == {"compiled"}


@pytest.mark.slow
def test_a_changed_header_renews_every_module(built):
    before = built.modules()
    header = built.root / "csrc/inside_polygon.h"
    os.utime(header)
    for key in "cclass.polygon", "cython.typed":
        assert "is older than csrc/inside_polygon.h: run `make build`" in built.load(key)
    done = built.build()
    assert done.returncode == 0, done.stdout
    after = built.modules()
    assert after.keys() == before.keys()
    assert all(after[name] > before[name] for name in after)
    assert built.load("cclass.polygon") == "good"


@pytest.mark.slow
def test_a_syntax_error_in_cython_leaves_no_stale_module(built, edit):
    edit("1_cython/typed.pyx", "cdef bint inside = False", "cdef bint inside = = False")
    done = built.build()
    assert done.returncode != 0
    assert "1_cython/typed.pyx:" in done.stdout
    assert "Traceback" not in done.stdout
    assert "typed" not in built.modules()
    assert built.load("cython.typed") == "not built: run `make build`, and read what it prints"
    assert built.load("clib.points") == "good"
    assert built.build().returncode != 0  # and it stays an error until it is mended


@pytest.mark.slow
def test_after_a_syntax_error_is_mended_the_next_build_restores_the_module(built, edit):
    edit("1_cython/typed.pyx", "cdef bint inside = False", "cdef bint inside = = False")
    assert built.build().returncode != 0
    edit("1_cython/typed.pyx", "= = False", "= False")
    done = built.build()
    assert done.returncode == 0, done.stdout
    assert built.load("cython.typed") == "good"


@pytest.mark.slow
def test_a_c_error_leaves_no_stale_module(built, edit):
    edit("csrc/points_inside_polygon.c", "for (ptrdiff_t i = 0", "for (no_such_type i = 0")
    done = built.build()
    assert done.returncode != 0
    assert "no_such_type" in done.stdout
    assert "Traceback" not in done.stdout
    assert "points" not in built.modules()
    assert built.load("clib.points").startswith("not built")
    assert built.load("cclass.polygon") == "good"


@pytest.mark.slow
def test_a_changed_c_file_is_compiled_again(built, edit):
    edit("csrc/points_inside_polygon.c", "n, border_value);", "n, !border_value);")
    assert "is older than csrc/points_inside_polygon.c" in built.load("clib.points")
    assert built.build().returncode == 0
    assert built.load("clib.points") == "wrong"  # the change is there


@pytest.mark.slow
def test_the_list_of_inputs_names_every_module(built):
    inputs = json.loads((built.root / "build/inputs.json").read_text())
    assert {name.rpartition(".")[2] for name in inputs} == built.modules().keys()


def refuse_openmp(folder, name, compiler):
    """A compiler that does not know -fopenmp."""
    script = folder / name
    script.write_text(
        '#!/bin/sh\nfor a; do case $a in *fopenmp*) echo "unknown option $a" >&2; exit 1;; esac; '
        f'done\nexec {compiler} "$@"\n'
    )
    script.chmod(0o755)
    return str(script)


@pytest.mark.slow
def test_without_openmp_there_is_a_warning_and_all_but_the_threads_work(built, tmp_path):
    compilers = {
        "CC": refuse_openmp(tmp_path, "cc-without", "cc"),
        "CXX": refuse_openmp(tmp_path, "c++-without", "c++"),
    }
    wanting = [built.root / "4_openmp/prange.pyx", built.root / "polymask/_build_facts.pyx"]
    for file in wanting:
        os.utime(file)
    done = built.build(**compilers)
    try:
        assert done.returncode == 0, done.stdout
        assert "NO OPENMP" in done.stdout
        assert "cc-without" in done.stdout
        assert "Traceback" not in done.stdout
        assert "unknown option" not in done.stdout  # the probe's own errors are of no use
        code = "from polymask import _build_facts as f; from polymask.openmp import prange as p; "
        assert built.run(code + "print(f.OPENMP, p.OPENMP)").stdout.split() == ["0", "0"]
        assert built.load("openmp.prange").startswith("built without OpenMP: install libgomp")
        assert built.load("cclass.polygon") == "good"
        # called all the same, it computes the right mask with the one thread it has
        code = (
            "from polymask.openmp.prange import make_mask as m; from polymask import reference; "
            "v = [(1, 2), (9, 4), (3, 8)]; "
            "print((m(v, (9, 9), threads=2) == reference.mask(v, (9, 9))).all())"
        )
        assert built.run(code).stdout.strip() == "True"
    finally:
        for file in wanting:
            os.utime(file)
        assert built.build().returncode == 0


@pytest.mark.slow
def test_an_editable_install_over_a_build_keeps_openmp(built):
    """It compiles anew, in a folder of its own: what lies in place must not answer the probe."""
    code = "from polymask import _build_facts as f; from polymask.openmp import prange as p; "
    code += "print(f.OPENMP, p.OPENMP)"
    before = built.run(code).stdout
    if before.split() == ["0", "0"]:
        pytest.skip("this compiler has no OpenMP")
    try:
        built.check([*built.install, "-e", "."])
        assert built.run(code).stdout == before
    finally:
        os.utime(built.root / "4_openmp/prange.pyx")
        os.utime(built.root / "polymask/_build_facts.pyx")
        assert built.build().returncode == 0
