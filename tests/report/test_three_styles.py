"""The page of three styles: every rung of a style, with an exact copy of its file."""

import html as entities
import re
import sys

import pages
import pytest
from checkouts import ROOT

from ladder import registry
from ladder.report.page import three_styles

pytest.importorskip("jinja2", reason="the package jinja2 is not installed")


def read(html):
    """Map each style to its rungs in order, and each rung to its files and their code."""
    columns, files = {}, {}
    for section in re.findall(r"<section id.*?</section>", html, re.S):
        style = re.search(r'id="(\w+)"', section)[1]
        for part in re.split("<details", section)[1:] or [section]:
            key = re.search("<strong>(.*?)</strong>", part)
            key = key and entities.unescape(key[1])
            columns.setdefault(style, []).append(key)
            figures = re.findall(
                r"<figcaption><code>(.*?)</code>.*?<pre><code>(.*?)</code></pre>", part, re.S
            )
            for name, code in figures:
                files[key, name] = entities.unescape(re.sub("<[^>]*>", "", code))
    return columns, files


@pytest.fixture(scope="module")
def html():
    return three_styles.as_html()


def test_every_rung_of_a_style_is_in_its_column_and_one_is_open_in_each(html):
    columns, _ = read(html)
    assert columns.pop("rule") == [None]
    rungs = [rung for rung in registry.RUNGS if rung.style]
    for style, keys in columns.items():
        assert sorted(keys) == sorted(rung.key for rung in rungs if rung.style == style)
        others = [registry.other_algorithm(registry.get(key)) for key in keys]
        assert others == sorted(others)
    assert columns.keys() == three_styles.STYLES.keys() == {rung.style for rung in rungs}
    assert columns["array"][0] == "python.vectorized"
    assert columns["loop"][0] == "openmp.prange"
    assert registry.get(columns["kernel"][0]).device
    assert len(re.findall("<details[^>]* open", html)) == 3


def test_the_page_has_an_exact_copy_of_each_file(html):
    _, files = read(html)
    for rung in [rung for rung in registry.RUNGS if rung.style]:
        text = (ROOT / rung.file).read_text(encoding="utf-8")
        start = text.index('"""')
        end = text.index('"""', start + 3)
        without_docstring = text[:start] + text[end + 3 :].lstrip("\n")
        assert files[rung.key, rung.file].rstrip("\n") == without_docstring.rstrip("\n"), rung.key
        assert three_styles.of_rung(rung).about == text[start + 3 : end].strip()
    kernels = {(key, file) for key, file in files if file.startswith("csrc/")}
    for key, file in kernels:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert files[key, file].rstrip("\n") == text.rstrip("\n"), file
    expected = {("opencl.pixels", "csrc/mask.cl"), ("offload.copy", "csrc/offload/mask.c")}
    assert expected <= kernels
    assert ("offload.copy", "csrc/mask.cl") not in kernels  # whose name begins the same way
    assert [key for key, file in kernels if file == f"csrc/{three_styles.RULE}"] == [None]


def test_the_page_is_well_formed_and_needs_nothing_else(html):
    page = pages.Reader(html)
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} == {*three_styles.STYLES, "rule"} <= {*page.ids}
    assert "script" not in {tag for tag, _ in page.tags}


def test_the_command_writes_the_page(polymask, tmp_path, html, monkeypatch):
    assert polymask("styles", "page.html") == (0, "wrote page.html\n", "")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == html
    code, output, error = polymask("styles", "nowhere/page.html")
    assert (code, output) == (2, "")
    assert "nowhere" in error
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, output, error = polymask("styles", "page.html")
    assert (code, output, error.count("\n")) == (1, "", 1)
    assert "pip install 'polymask[bench]'" in error
