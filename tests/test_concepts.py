"""The concept pages: their commands print the output shown, and their index is complete."""

import json
import math
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from checkouts import ROOT
from commands import ran

PAGES = sorted((ROOT / "docs" / "concepts").glob("*.md"))


def experiments():
    """Yield the blocks of commands on the pages, each command with its output."""
    for page in PAGES:
        blocks = re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
        for number, block in enumerate(blocks, start=1):
            parts = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
            yield pytest.param(parts, id=f"{page.stem}-{number}")


@pytest.mark.parametrize("parts", list(experiments()))
def test_an_experiment_prints_the_output_on_its_page(parts, tmp_path):
    """Pages show only the last line of an error."""
    if any(command.startswith("cc ") for command, _ in parts) and not shutil.which("cc"):
        pytest.skip("no C compiler is installed")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for command, expected in parts:
        done = ran(["bash", "-c", command], cwd=tmp_path, environment={"PATH": path})
        output = done.stdout.splitlines() + done.stderr.splitlines()[-1:]
        assert output == expected.splitlines(), done.stderr


def folded_outputs():
    """Yield each command whose folded answer begins with its output, and that output."""
    answer = re.compile(r"```sh\n(.*?)```\n\n<details><summary>[^\n]*\n\n```text\n(.*?)```", re.S)
    for page in PAGES:
        for command, output in answer.findall(page.read_text(encoding="utf-8")):
            yield pytest.param(command, output, id=page.stem)


@pytest.mark.parametrize(("command", "output"), list(folded_outputs()))
def test_a_command_prints_its_folded_output(command, output, tmp_path):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = ran(["bash", "-c", command], cwd=tmp_path, environment={"PATH": path})
    assert done.stdout == output, done.stderr


def test_measured_times_are_those_of_the_result():
    text = (ROOT / "docs" / "concepts" / "devices.md").read_text(encoding="utf-8")
    result = json.loads((ROOT / "results" / "2026-11-22-intel-xeon.json").read_text("utf-8"))
    (row,) = (row for row in result["rows"] if row["key"] == "opencl.pixels")
    assert f"took {1e3 * row['first_call_s']:.0f} ms" in text
    assert f"the median of those after it {1e3 * row['median_s']:.1f} ms" in text


def test_counts_of_instructions_are_those_of_the_result():
    text = (ROOT / "docs" / "concepts" / "profilers.md").read_text(encoding="utf-8")
    result = json.loads((ROOT / "results" / "instructions" / "x86_64.json").read_text("utf-8"))
    prange, simd = (
        counted["instructions"] / math.prod(counted["image"])
        for counted in map(result["rungs"].get, ("openmp.prange", "openmp.simd"))
    )
    assert f"{prange:.0f} instructions per\npixel, openmp.simd {simd:.0f}" in text
    assert f"executes {prange / simd:.1f} times fewer" in text


def test_shares_of_lines_are_those_of_the_flame_graph():
    text = (ROOT / "docs" / "concepts" / "profilers.md").read_text(encoding="utf-8")
    graph = (ROOT / "docs" / "pictures" / "vectorized_flame.svg").read_text(encoding="utf-8")
    shares = dict(re.findall(r"vectorized\.py:(\d+)\) \([\d,]+ samples, ([\d.]+)%\)", graph))
    described = re.search(r"make_mask shows its lines: (.*?)\. The bars", text, re.DOTALL)[1]
    lines = re.findall(r"line (\d+)\D*? has (\d+) %", described)
    assert len(lines) == 4
    assert lines == [(line, f"{float(shares[line]):.0f}") for line, _ in lines]


def test_the_first_page_lists_all_others():
    first = (ROOT / "docs" / "concepts" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((\w+\.md)\)", first)) == {p.name for p in PAGES} - {"README.md"}
