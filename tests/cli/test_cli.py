"""The command line, as a user runs it."""

import dataclasses
import re
import sys
from pathlib import Path

import fresh_python
import numpy as np
import pytest
from cases import folded, says
from checkouts import ROOT
from click.testing import CliRunner
from PIL import Image

import polymask as library
from ladder import registry
from ladder.common import preflight
from ladder.registry import reference, workload
from ladder.workshop import exercises
from polymask.cli import engine_check
from polymask.contract import Unavailable
from polymask.masks import container


@pytest.mark.parametrize("terminal", [True, False])
def test_markup_in_names_is_shown_unchanged(polymask, monkeypatch, terminal):
    """Names of extras, files and machines may have brackets and colons."""
    strange = dataclasses.replace(registry.RUNGS[0], idea="polymask[opencl] :x: [/b]")
    monkeypatch.setattr(registry, "RUNGS", (strange,))
    monkeypatch.setenv("COLUMNS", "200")
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    _, out, _ = polymask("list")
    assert strange.idea in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", out)


@pytest.mark.skipif(sys.platform == "win32", reason="no file has such a name there")
def test_names_of_files_are_one_line_and_command_no_terminal(polymask, error_of, tmp_path):
    name = "a\n\x1b]0;PWNED\x07.csv"
    plain = r"a\n\x1b]0;PWNED\x07.csv"
    Path(tmp_path / name).write_text("1 1\n9 1\nno vertex\n")
    for arguments, message in (
        (["mask", name, "--shape", "9x9", "-o", "a.npy"], f"{plain}: line 3: expected two numbers"),
        (["mask", name, "--shape", "9x9", "-o", f"{name}/a.npy"], "there is no folder"),
        (["mask", f"{name}.no", "--shape", "9x9", "-o", "a.npy"], "does not exist"),
        (["report", name], f"{plain}: not JSON"),
    ):
        err = error_of(*arguments)
        assert message in err
        assert err.rstrip("\n").isprintable()
    (tmp_path / name).write_text("1 1\n9 1\n5 9\n")
    code, out, _ = polymask("run", "python.tuples", "--size", 9, "--save", f"{name}.npy")
    assert (code, f"wrote {plain}.npy\n" in out) == (0, True)
    assert out.replace("\n", "").isprintable()


def test_run_saves_its_mask(polymask):
    vertices = workload.polygon(9, (20, 30), 4)
    expected = reference.mask(vertices, (20, 30))
    common = ("run", "cclass.polygon", "--shape", "20x30", "--vertices", 9, "--seed", 4, "--save")
    assert polymask(*common, "mask.npy")[0] == 0
    np.testing.assert_array_equal(np.load("mask.npy"), expected)
    assert polymask(*common, "mask.png")[0] == 0
    np.testing.assert_array_equal(np.asarray(Image.open("mask.png")), 255 * expected)


def test_run_reads_a_polygon_and_fits_it(polymask):
    outline = ROOT / "examples" / "france.csv"
    code, out, _ = polymask("run", "cclass.polygon", "--polygon", outline, "--fit", "--size", 100)
    assert code == 0
    inside = re.fullmatch(
        r"cclass\.polygon: first call .*, (\d+) of 100 x 100 pixels inside\n", out
    )
    assert int(inside[1]) > 2000  # about a third of the image, not a dot in a corner


@folded(
    ("arguments", "message"),
    [
        (["run", "cclass.polygn"], "did you mean 'cclass.polygon'"),
        (["bnch"], "did you mean 'bench'"),
        (["run", "openmp.prange", "--set", "thread=2"], "did you mean 'threads'"),
        (["run", "openmp.prange", "--set", "threads=two"], "threads: "),
        (["run", "cclass.polygon", "--set", "threads=1"], "takes none"),
        (["bench", "--set", "threads=1"], "--set takes KEY.OPTION=VALUE, got 'threads=1'"),
        (
            ["bench", "--set", "openmp.prange.threads=1e9"],
            "openmp.prange: threads: expected a whole number, like 16, got '1e9'",
        ),
        (["run", "clib.points", "--shape", "5x" + "1" * 5000], "of 5000 digits is too large"),
        (["bench", "--set", "openmp.prange.schedule=often"], "schedule must be"),
        (
            ["bench", "--rungs", "clib.points", "--set", "openmp.prange.threads=1"],
            "not among the measured rungs",
        ),
        (["run", "cclass.polygon", "--shape", "20x-3"], "ROWSxCOLS"),
        (["run", "cclass.polygon", "--size", "-1"], "--size"),
        (["run", "cclass.polygon", "--size", "9", "--shape", "9x9"], "exclude each other"),
        (["run", "cclass.polygon", "--vertices", "2"], "--vertices"),
        (["run", "cclass.polygon", "--polygon", "nothing.csv"], "nothing.csv"),
        (["run", "cclass.polygon", "--save", "mask.bmp"], r".npy, .png, .tif, .tiff, .npz"),
        (["run", "cclass.polygon", "--size", "0", "--save", "mask.png"], "without pixels"),
        (["report", "nothing.json"], "nothing.json"),
        (["mask"], "Missing argument 'INPUT...' (see `polymask mask --help`)"),
    ],
)
def test_bad_usage_is_one_clear_line_and_code_2(error_of, arguments, message):
    assert message in error_of(*arguments)


@pytest.mark.parametrize("option", [("--seed", 0), ("--seed", 3), ("--vertices", 3)])
def test_options_of_generated_polygons_are_refused_with_a_file(polymask, option):
    Path("a.csv").write_text("0 0\n9 0\n0 9\n")
    code, _, err = polymask("run", "cclass.polygon", "--polygon", "a.csv", *option)
    assert code == 2
    assert says(err, "--polygon", "--vertices", "out")


def test_unavailable_rung_is_code_1(polymask, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    monkeypatch.delitem(sys.modules, "ladder.opencl.pixels", raising=False)
    code, _, err = polymask("run", "opencl.pixels", "--size", 9)
    assert code == 1
    assert "pip install 'polymask[opencl]'" in err


def test_doctor_has_a_line_for_each_check(polymask):
    code, out, _ = polymask("doctor")
    assert code == 0
    assert out.count("OK  ") + out.count("LOOK") >= 8
    assert "OpenMP" in out
    assert "OpenCL" in out


def test_doctor_says_in_a_line_whether_a_course_can_begin(polymask, monkeypatch, tmp_path):
    monkeypatch.setattr(container, "cores", lambda: 1)
    (tmp_path / "course.txt").write_text("vectorize\nprange\n")
    (tmp_path / "results.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    code, out, _ = polymask("doctor", "--class")
    assert (code, out.count("\n")) == (0, 1)
    assert says(out, "ready", "2 exercises", "1 core", "not judged: prange")
    monkeypatch.chdir(tmp_path.parent)
    lacking = exercises.get("reversed").name

    def require(exercise):
        if exercise.name == lacking:
            raise Unavailable("no device", "buy one")

    monkeypatch.setattr(exercises.Exercise, "require", require)
    code, out, _ = polymask("doctor", "--class")
    assert code == 1
    assert out.startswith("not ready: reversed: no device: buy one; speed not judged: prange")
    assert polymask("doctor", "--class", "vectorize")[0] == 0
    monkeypatch.setattr(preflight, "problem", lambda: "no compiler")
    assert polymask("doctor", "--class", "vectorize")[:2] == (1, "not ready: no compiler\n")
    assert says(polymask("doctor", "--class", "vectorise")[2], "did you mean 'vectorize'")


def test_the_doctor_of_the_library_counts_wrong_pixels(monkeypatch):
    run, mask = CliRunner().invoke, library.polygon_mask(engine_check.STAR, engine_check.SHAPE)
    right = run(engine_check.doctor).output
    assert re.fullmatch(r"polymask \S+ works: 6400 of 6400 pixels are right with .*\n", right)
    mask[50, 60:62] ^= True
    monkeypatch.setattr(library, "polygon_mask", lambda *_: mask.copy())
    assert " is broken, please report this: 6398 of 6400 pixels " in run(engine_check.doctor).output
    assert not engine_check.engine()[0]


@pytest.mark.parametrize("variable", ["POLYMASK_ISA", "POLYMASK_STORES"])
def test_a_mistyped_variable_of_the_engine_is_one_line(polymask, monkeypatch, variable, root):
    monkeypatch.setenv(variable, "AVX-2")
    code, out, _ = polymask("doctor")
    assert code == 0
    assert f"LOOK engine: {variable}=AVX-2 is not automatic, " in out
    france = root / "examples/france.csv"
    code, _, err = polymask("mask", france, "--shape", "9x9", "--fit", "-o", "mask.npy")
    assert code == 2
    assert re.search(rf"^polymask: {variable}=AVX-2 is not automatic, .*\n\Z", err, re.M)


@pytest.mark.slow
def test_the_commands_begin_where_nothing_is_built():
    code = "import sys; missing = 'polymask.masks._engine', 'ladder._build_facts'; "
    code += "sys.modules |= dict.fromkeys(missing); "
    code += "from polymask import cli; sys.exit(cli.main(['report', '--help']))"
    completed = fresh_python.run("-c", code)
    assert completed.returncode == 0, completed.stderr
    assert "Usage: polymask report" in completed.stdout
