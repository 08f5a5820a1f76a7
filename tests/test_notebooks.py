"""The notebooks run, and the functions they call work as described."""

import os
import re
import subprocess
import sys
from collections import defaultdict

import numpy as np
import pytest
from cases import folded
from checkouts import ROOT

from ladder import registry
from ladder.bench import summary, sweep
from ladder.registry import workload
from ladder.report import marks, notebook, results
from ladder.report.charts import speedups
from polymask import contract

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("matplotlib")

FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
WALKTHROUGH = FOLDER / "walkthrough.ipynb"
SHAPE = (12, 16)
SIZE = os.environ.get("POLYMASK_NOTEBOOK_SIZE", "64")  # rows and columns of the measured masks


@pytest.fixture(autouse=True)
def noisy(monkeypatch):
    """Keys of rows whose samples are made noisy before they are judged; all others are calm."""
    keys, judge = set(), summary.rows

    def judge_spoiled(rows, yardsticks, probes, interrupted=False):
        for row in rows:
            row.probes.clear()
            factor = 10 if row.key in keys else 1
            row.samples[1:] = [factor * row.samples[0] for _ in row.samples[1:]]
        return judge(rows, yardsticks, probes, interrupted)

    monkeypatch.setattr(summary, "rows", judge_spoiled)
    return keys


@pytest.fixture
def displays(monkeypatch):
    """The displayed objects other than text."""
    objects = []
    monkeypatch.setattr(pytest.importorskip("IPython").display, "display", objects.append)
    return objects


@pytest.fixture
def ladder(monkeypatch, displays):
    monkeypatch.setattr(notebook, "SECONDS", 0)
    return notebook.Ladder(workload.polygon(5, SHAPE), SHAPE)


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebooks_are_valid_and_their_links_lead_somewhere(file):
    """That they are stored without outputs, `make lint` checks."""
    stored = nbformat.read(file, as_version=nbformat.NO_CONVERT)
    nbformat.validate(stored)
    for cell in stored.cells:
        if cell.cell_type == "markdown":
            for link in re.findall(r"\]\(([^)]+)\)", cell.source):
                assert (FOLDER / link).exists(), link


def code_of_the_walkthrough():
    cells = nbformat.read(WALKTHROUGH, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "code"]


def test_the_walkthrough_follows_the_ladder_and_asks_first():
    climbs = [source for source in code_of_the_walkthrough() if ".climb(" in source]
    keys = [re.search(r'\.climb\("([\w.]+)"', source)[1] for source in climbs]
    assert keys[0] == registry.BASE
    assert keys == [rung.key for rung in registry.RUNGS if rung.key in keys]
    for key, source in zip(keys[1:], climbs[1:], strict=True):
        question = re.search(
            r"^prediction = None  # how many times as fast as ([\w.]+)\?", source, re.M
        )
        assert question[1] == registry.get(key).before


def render(file, folder):
    """Render the page of a notebook like `make notebooks`, without running it."""
    pytest.importorskip("nbconvert")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    options = " ".join(
        re.search(rf"^{name} = (.*)", makefile, re.M)[1] for name in ("PAGE", "OFFLINE")
    )
    command = [sys.executable, "-m", "nbconvert", *options.split(), "--log-level=ERROR"]
    subprocess.run([*command, "--output-dir", folder, file], cwd=ROOT, check=True)
    return folder / f"{file.stem}.html"


@pytest.mark.slow
def test_pages_of_the_notebooks_need_no_network(tmp_path):
    """Render a notebook like `make notebooks`, without running it."""
    page = render(WALKTHROUGH, tmp_path).read_text(encoding="utf-8")
    assert "The engine" in page
    assert not re.search(r"<(script|img|iframe)[^>]* src=.(?!data:)\w", page)
    assert not re.search(r"<link[^>]* href|@import", page)
    assert 'class="mermaid"' not in page  # which loads a script for diagrams


@pytest.mark.slow
def test_the_ladder_says_what_was_predicted_beside_what_was_measured(ladder, capsys):
    ladder.climb("python.tuples")
    assert re.fullmatch(r"python.tuples: [\d.]+ [mµ]s a mask\n", capsys.readouterr().out)
    ladder.climb("cython.compiled", prediction=2.5)
    output = capsys.readouterr().out
    assert re.fullmatch(
        r"cython.compiled: [\d.]+ [mµ]s a mask, [\d.]+ times as fast as python.tuples; "
        r"you predicted 2.5\n",
        output,
    )
    ladder.climb("cython.typed")
    assert capsys.readouterr().out.endswith("; no prediction\n")
    assert list(ladder.times) == ["python.tuples", "cython.compiled", "cython.typed"]
    lines = ladder.account().splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| cython.compiled", "| cython.typed"]
    assert lines[2].endswith("| 2.5 |")
    assert lines[3].endswith("| – |")


def by_marker(ladder):
    """Map each marker and size in the picture to its lines, from the top down."""
    lines = defaultdict(list)
    for line in ladder.figure().axes[0].lines:
        lines[line.get_marker(), line.get_markersize()].append(line)
    return lines


def position(line):
    return line.get_xdata()[0], line.get_ydata()[0]


@pytest.mark.slow
def test_the_ladder_draws_all_rungs_so_far_the_prediction_and_memset(ladder, displays):
    assert ladder.figure() is None
    ladder.climb("cclass.polygon")
    ladder.climb("cclass.cpp", prediction=3)
    assert len(displays) == 2
    for text in ("cclass.polygon", "cclass.cpp", "your prediction", "memset: "):
        assert f">{text}" in displays[-1].data
    marks = by_marker(ladder)
    assert [position(dot)[0] for dot in marks["o", 8]] == list(ladder.times.values())
    ((diamond,),) = (lines for (marker, _), lines in marks.items() if marker == "D")
    predicted_s = ladder.times["cclass.cpp"] * ladder.factors["cclass.cpp"] / 3
    assert position(diamond) == (pytest.approx(predicted_s), position(marks["o", 8][1])[1])
    assert any(position(line)[0] == ladder.memset_s for line in ladder.figure().axes[0].lines)


@pytest.mark.slow
def test_a_disturbed_measurement_is_marked(ladder, capsys, noisy):
    ladder.climb("python.tuples")
    assert "noisy" not in capsys.readouterr().out + ladder.account()
    noisy.add("cclass.polygon")
    ladder.climb("cclass.polygon")
    assert capsys.readouterr().out.splitlines()[1].startswith("noisy: cclass.polygon; ")
    ladder.climb("cclass.cpp")
    assert capsys.readouterr().out.splitlines()[1].startswith("noisy: cclass.polygon; ")
    words = [note.get_text() for note in ladder.figure().axes[0].texts]
    assert sum(text.endswith(", noisy") for text in words) == 1
    assert words[words.index("cclass.polygon") + 1].endswith(", noisy")
    assert " (noisy) |" in ladder.account()


@pytest.mark.slow
@folded("prediction", ["ten", 0, -2, 1e-300, float("nan"), float("inf"), True])
def test_an_invalid_prediction_is_refused_and_the_rung_measured(ladder, capsys, prediction):
    ladder.climb("cclass.cpp", prediction)
    first, second, _ = capsys.readouterr().out.split("\n")
    assert first.startswith("a prediction is a number like 2.5, above 0")
    assert repr(prediction) in first
    assert second.endswith("; no prediction")


def test_a_rung_that_cannot_run_is_skipped(ladder, capsys, monkeypatch):
    def load(rung):
        raise contract.Unavailable("no such device", "buy one")

    monkeypatch.setattr(registry.Rung, "load", load)
    ladder.climb("opencl.pixels", 3)
    assert capsys.readouterr().out == "opencl.pixels skipped: no such device: buy one\n"
    assert ladder.times == {}
    assert notebook.load("opencl.pixels") is None
    assert capsys.readouterr().out == "opencl.pixels skipped: no such device: buy one\n"


def test_code_shows_the_part_between_two_lines():
    pytest.importorskip("IPython")
    text = notebook.code("cython.typed", "for y in", "mask[y, x]").data
    lines = text.splitlines()
    assert lines[:2] == ["```cython", "# 1_cython/typed.pyx"]
    assert lines[2].startswith("for y in")
    assert lines[-2].lstrip().startswith("mask[y, x] =")
    assert notebook.code("scanline.rows").data.count("\n") > 40
    with pytest.raises(ValueError, match=r"typed\.pyx.*begins.*'while'"):
        notebook.code("cython.typed", "while")


def test_tables_and_pictures_are_of_the_result():
    pytest.importorskip("IPython")
    readme_md = FOLDER.parent / "README.md"
    source = marks.MARKS.search(readme_md.read_text(encoding="utf-8"))["of"]
    (result,) = results.load(FOLDER.parent / source)
    assert re.search(r"\| python.tuples \|  \| [\d.]+\xa0s \|", notebook.table(result).data)
    assert ">memset</text>" in notebook.picture(speedups.draw(result)).data
    assert notebook.picture(None) is None


@pytest.mark.slow
def test_a_sweep_is_of_the_course_s_polygon(monkeypatch):
    monkeypatch.setattr(notebook, "SWEEP_SECONDS", 0)
    result = notebook.sweep("size", ["cclass.polygon"], (8, 16))
    assert result.values == [8, 16]
    polygon = result.results[1].workload.polygon_xy
    assert np.array_equal(polygon, workload.polygon(shape=(16, 16)))
    result = notebook.sweep("threads", ["openmp.prange"], shape=SHAPE)
    assert result.values == list(sweep.values("threads"))
    assert result.results[0].workload.shape == SHAPE


@pytest.mark.slow
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_runs_from_top_to_bottom(file):
    nbclient = pytest.importorskip("nbclient")
    document = nbformat.read(file, as_version=4)
    client = nbclient.NotebookClient(document, resources={"metadata": {"path": str(FOLDER)}})
    client.execute(env=os.environ | {"POLYMASK_NOTEBOOK_SIZE": SIZE})


@pytest.mark.slow
def test_the_walkthrough_runs_without_devices_and_threads(tmp_path):
    """Without OpenCL and OpenMP it reports skipped rungs and runs to the end."""
    nbclient = pytest.importorskip("nbclient")
    startup = tmp_path / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "missing.py").write_text("""
from polymask import contract
from ladder import registry
load = registry.Rung.load
def refuse(rung):
    if rung.device or "threads" in rung.options:
        raise contract.Unavailable("taken away by the test")
    return load(rung)
registry.Rung.load = refuse
""")
    document = nbformat.read(WALKTHROUGH, as_version=4)
    client = nbclient.NotebookClient(document, resources={"metadata": {"path": str(FOLDER)}})
    environment = {"IPYTHONDIR": str(tmp_path), "POLYMASK_NOTEBOOK_SIZE": "16"}
    client.execute(env={**os.environ, **environment})
    text = "".join(
        output.text
        for cell in document.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream"
    )
    for key in ("openmp.prange", "openmp.simd", "opencl.pixels", "scanline.threads"):
        assert f"{key} skipped: taken away by the test" in text
    assert "scanline.engine: " in text
