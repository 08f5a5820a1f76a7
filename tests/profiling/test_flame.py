"""`polymask profile --flame`: a flame graph of a rung, sampled and drawn by py-spy."""

import re

import pytest
from cases import folded, says

from ladder.profiling import flame
from polymask.contract import Unavailable

SMALL = ("--size", "24")
GRAPH = '<svg><text id="title" x="50%">py-spy record</text><g>frames</g></svg>'


@pytest.fixture
def stand_in(monkeypatch, tmp_path):
    """Replace py-spy with a shell script, which can write to the file `$graph`."""

    def install(script):
        file = tmp_path / "py-spy"
        file.write_text(
            '#!/bin/sh\nfor word; do case $word in --output=*) graph="${word#*=}";; esac; done\n'
            f"{script}\n"
        )
        file.chmod(0o700)
        monkeypatch.setattr(flame, "find", lambda: str(file))

    return install


def test_the_graph_names_the_rung_and_the_image(polymask, stand_in, tmp_path):
    stand_in(f"echo '{GRAPH}' > \"$graph\"")
    code, out, err = polymask("profile", "python.tuples", *SMALL, "--flame", "here.svg")
    assert (code, err) == (0, "")
    assert "wrote here.svg" in out
    title = "python.tuples, 24 x 24 pixels, 24 vertices: samples by py-spy"
    expected = GRAPH.replace("py-spy record", title)
    assert (tmp_path / "here.svg").read_text().strip() == expected


@folded(
    ("errors", "words"),
    [
        ("Error: Failed to suspend process\nCaused by:\n 0: EPERM", ("allow", "ptrace_scope=1")),
        ("Permission Denied: Try running again with sudo", ("allow", "SYS_PTRACE")),
        ("Error: unsupported version\nStack backtrace:\n 0: main", ("unsupported version",)),
        ("error: unexpected argument --native\n\nUsage: py-spy", ("unexpected argument --native",)),
        ("\n", ("py-spy failed",)),
    ],
)
def test_a_failure_is_one_line_and_writes_nothing(polymask, stand_in, tmp_path, errors, words):
    stand_in(f"echo '{errors}' >&2; exit 1")
    code, out, err = polymask("profile", "python.tuples", *SMALL, "--flame", "here.svg")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert says(err, *words)
    assert not (tmp_path / "here.svg").exists()


def test_without_py_spy_it_says_what_to_install(polymask, monkeypatch):
    monkeypatch.setattr(flame.shutil, "which", lambda *_, **__: None)
    code, out, err = polymask("profile", "python.tuples", *SMALL, "--flame", "here.svg")
    assert (code, out) == (1, "")
    assert "pip install 'polymask[profile]'" in err


def test_another_profiler_at_the_same_time_is_an_error(polymask):
    for option in (("--native",), ("--tool", "perf"), ("--out", "x.prof"), ("--view",)):
        code, _, err = polymask("profile", "cclass.polygon", "--flame", "x.svg", *option)
        assert code == 2
        assert "leave out" in err


def test_other_files_than_svg_are_refused(polymask):
    code, _, err = polymask("profile", "python.tuples", *SMALL, "--flame", "x.png")
    assert code == 2
    assert says(err, "--flame", ".svg", "x.png")


@pytest.mark.slow
def test_a_graph_by_py_spy_has_lines_of_python_and_functions_in_c(polymask, monkeypatch, tmp_path):
    try:
        flame.find()
    except Unavailable as missing:
        pytest.skip(str(missing))
    monkeypatch.setattr(flame, "SECONDS", 1)
    code, _, err = polymask("profile", "python.vectorized", "--size", "256", "--flame", "x.svg")
    if code == 1 and "does not allow" in err:
        pytest.skip(err)
    assert code == 0, err
    graph = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert re.search(r"<title>make_mask \(0_python/vectorized\.py:\d+\)", graph)
    assert re.search(r"<title>DOUBLE_\w+ \(numpy", graph)
