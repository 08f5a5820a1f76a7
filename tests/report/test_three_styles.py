"""The page of three styles: every rung of a style, with an exact copy of its file."""

import sys
from dataclasses import replace
from html.parser import HTMLParser

import pages
import pytest
from cases import folded
from checkouts import ROOT

from ladder import registry
from ladder.report.page import three_styles

pytest.importorskip("jinja2", reason="the package jinja2 is not installed")
OF_A_STYLE = [rung for rung in registry.RUNGS if rung.style]


class Columns(HTMLParser):
    """A reader of the page: the rungs of each section, and each rung's files with their code."""

    def __init__(self, text):
        super().__init__()
        self.rungs, self.open, self.files = {}, [], {}
        self.section = self.key = self.file = self.reading = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "section":
            self.section, self.key = values["id"], None
            self.rungs[self.section] = []
        elif tag == "details":
            assert values["name"] == self.section
            self.key = None
            self.open += [self.section] if "open" in values else []
        elif tag in ("strong", "figcaption", "pre"):
            self.reading, self.words = tag, ""

    def handle_endtag(self, tag):
        if tag != self.reading:
            return
        if tag == "strong":
            self.key = self.words
            self.rungs[self.section].append(self.key)
        elif tag == "figcaption":
            self.file = self.words
        else:
            self.files[self.key, self.file] = self.words
        self.reading = None

    def handle_data(self, text):
        if self.reading:
            self.words += text


@pytest.fixture(scope="module")
def html():
    return three_styles.as_html()


@pytest.fixture(scope="module")
def columns(html):
    return Columns(html)


def test_every_rung_of_a_style_is_in_its_column_and_one_is_open_in_each(columns):
    assert {*three_styles.STYLES} == {rung.style for rung in OF_A_STYLE}
    for style in three_styles.STYLES:
        keys = [rung.key for rung in OF_A_STYLE if rung.style == style]
        assert sorted(columns.rungs[style]) == sorted(keys)
    assert columns.open == list(three_styles.STYLES)


def test_the_open_rung_comes_first_and_introduces_the_style():
    first = {style: three_styles.examples(style)[0][0].key for style in three_styles.STYLES}
    assert first["array"] == "python.vectorized"
    assert first["loop"] == "openmp.prange"
    assert registry.get(first["kernel"]).device


def test_rungs_of_another_algorithm_come_last(columns):
    for style in three_styles.STYLES:
        others = [registry.other_algorithm(registry.get(key)) for key in columns.rungs[style]]
        assert others == sorted(others)
        keys = [key for key, other in zip(columns.rungs[style], others, strict=True) if not other]
        assert [keys[0], *sorted(keys[1:], key=[*registry.BY_KEY].index)] == keys


@folded("rung", OF_A_STYLE)
def test_the_page_has_an_exact_copy_of_each_file(columns, rung):
    text = (ROOT / rung.file).read_text(encoding="utf-8")
    start = text.index('"""')
    end = text.index('"""', start + 3)
    assert columns.files[rung.key, rung.file] == text[:start] + text[end + 3 :].lstrip("\n")
    assert three_styles.of_rung(rung).about == text[start + 3 : end].strip()


def test_the_page_has_an_exact_copy_of_each_kernel(columns):
    kernels = {(key, file) for key, file in columns.files if key and file.startswith("csrc/")}
    assert ("opencl.pixels", "csrc/mask.cl") in kernels
    assert ("scanline.opencl", "csrc/scanline.cl") in kernels
    assert ("offload.copy", "csrc/offload/mask.c") in kernels
    assert ("offload.copy", "csrc/mask.cl") not in kernels  # whose name begins the same way
    for key, file in kernels:
        assert columns.files[key, file] == (ROOT / file).read_text(encoding="utf-8"), key


def test_the_page_has_the_rule_once(columns, html):
    rule = (ROOT / "csrc" / three_styles.RULE).read_text(encoding="utf-8")
    assert columns.files[None, f"csrc/{three_styles.RULE}"] == rule
    assert list(columns.files.values()).count(rule) == 1


def test_a_new_rung_is_on_the_page_automatically(monkeypatch):
    new = replace(registry.get("opencl.pixels"), key="opencl.again", title="Again <b>")
    monkeypatch.setattr(registry, "RUNGS", (*registry.RUNGS, new))
    columns = Columns(three_styles.as_html())
    assert "opencl.again" in columns.rungs["kernel"]
    assert columns.files["opencl.again", "5_opencl/pixels.py"]


def test_the_page_is_well_formed_and_needs_nothing_else(html):
    page = pages.Reader(html)
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} == {*three_styles.STYLES, "rule"} <= {*page.ids}
    assert "script" not in {tag for tag, _ in page.tags}


def test_the_command_writes_the_page(polymask, tmp_path, html):
    assert polymask("styles", "page.html") == (0, "wrote page.html\n", "")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == html


def test_without_jinja_one_line_says_what_to_install(polymask, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    code, output, error = polymask("styles", "page.html")
    assert (code, output) == (1, "")
    assert error.count("\n") == 1
    assert "pip install 'polymask[bench]'" in error


def test_the_command_needs_an_existing_folder(polymask):
    code, output, error = polymask("styles", "nowhere/page.html")
    assert (code, output) == (2, "")
    assert "nowhere" in error
