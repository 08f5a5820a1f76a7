"""The pictures in lessons and docs are those that the scripts beside them draw now."""

import math
import re
import runpy
import shutil
import sys
from pathlib import Path

import pytest
from checkouts import ROOT
from fresh_python import run

from ladder.report.charts import drawing
from polymask.contract import Unavailable

matplotlib = pytest.importorskip("matplotlib")

THREADS = ROOT / "6_numba/pictures/rows_of_threads.svg"  # needs a process with four threads
FOLDERS = "[0-9]_*/pictures", "docs/pictures", "docs/gallery"
DRAWN = {file for folder in FOLDERS for file in ROOT.glob(f"{folder}/*.svg")} - {THREADS}
PICTURES = [file for file in DRAWN if file.with_suffix(".py").exists()]  # py-spy drew the other
VERSION = "3.11"  # of matplotlib, which drew the committed files
TEXT = re.compile(r"<text\b[^>]*>([^<]*)")


def agree(drawn, committed):
    """Compare two pictures: every byte, or the texts if another matplotlib drew the second."""
    drawn, committed = drawn.read_text(encoding="utf-8"), committed.read_text(encoding="utf-8")
    if not matplotlib.__version__.startswith(f"{VERSION}."):
        drawn, committed = TEXT.findall(drawn), TEXT.findall(committed)
    assert drawn == committed


@pytest.mark.parametrize("picture", sorted(PICTURES), ids=lambda picture: picture.stem)
def test_a_picture_is_what_its_script_draws(picture, tmp_path, monkeypatch):
    save = drawing.save

    def save_here(figure, stem, *arguments, **options):
        return save(figure, tmp_path / Path(stem).name, *arguments, **options)

    monkeypatch.setattr(drawing, "save", save_here)
    monkeypatch.syspath_prepend(picture.parent)
    script = str(picture.with_suffix(".py"))
    monkeypatch.setattr(sys, "argv", [script])
    try:
        runpy.run_path(script, run_name="__main__")
    except (SystemExit, Unavailable, ModuleNotFoundError) as reason:  # another Python, or a package
        pytest.skip(str(reason))
    agree(tmp_path / picture.name, picture)


@pytest.mark.parametrize("picture", sorted({*PICTURES, THREADS}), ids=lambda picture: picture.stem)
def test_texts_of_a_picture_have_eleven_pixels_where_it_is_560_wide(picture):
    text = picture.read_text(encoding="utf-8")
    width, across = map(float, re.search(r'width="([\d.]+)pt".*?viewBox="0 0 (\S+)', text).groups())
    sizes = map(float, re.findall(r"\bfont(?:-size)?: ([\d.]+)px", text))
    assert min(sizes, default=math.inf) * min(560, 4 / 3 * width) / across >= 11


@pytest.mark.slow
def test_the_picture_of_four_threads_is_what_its_script_draws(tmp_path):
    pytest.importorskip("numba")
    script = shutil.copy(THREADS.with_suffix(".py"), tmp_path)
    run(script, NUMBA_NUM_THREADS="4", NUMBA_THREADING_LAYER="omp")
    agree(tmp_path / THREADS.name, THREADS)
