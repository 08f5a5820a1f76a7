"""Lesson 8: its programs print the output shown, and its quotations exist in the sources."""

import importlib.util
import re
import textwrap

import documents
import pytest
from cases import folded
from checkouts import ROOT
from every_rung import load
from fresh_python import run

from ladder import registry

FOLDER = ROOT / "8_sycl"
TEXT = documents.lesson(FOLDER)
BLOCKS = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", TEXT, re.S)
PROGRAMS = [(code, printed) for code, printed in BLOCKS if re.search("^(import|from) ", code, re.M)]
QUOTED = [code for code, _ in BLOCKS if code not in dict(PROGRAMS)]
SOURCES = [
    file.read_text(encoding="utf-8") for file in FOLDER.rglob("*.py*") if "cache" not in str(file)
]


@pytest.fixture(scope="module")
def _needs_sycl():
    _, error = load(registry.get("sycl.kernel"))
    if error:
        pytest.skip(str(error))


def with_its_extra(code, printed):
    """Return a program as a test's parameters, marked with the extra it needs."""
    extra = "dpnp" if "import dpnp" in code else "sycl"
    return pytest.param(code, printed, extra, marks=pytest.mark.extra(extra))


@pytest.mark.usefixtures("_needs_sycl")
@pytest.mark.parametrize(
    ("code", "printed", "extra"), [with_its_extra(*program) for program in PROGRAMS]
)
def test_programs_print_the_output_shown(code, printed, extra):
    if extra == "dpnp" and importlib.util.find_spec("dpnp") is None:
        pytest.skip("the package dpnp is not installed")
    done = run("-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout == printed


@folded("code", QUOTED)
def test_each_quotation_stands_in_a_file(code):
    assert any(code in source for source in SOURCES), code


@pytest.mark.extra("sycl")
@pytest.mark.usefixtures("_needs_sycl")
def test_the_example_prints_a_line_for_each_device_that_works():
    """It compares each mask with the reference itself."""
    code = textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(FOLDER / "examples")!r})
        import items
        items.CALLS = 1
        items.main((37, 53))
    """)
    done = run("-W", "ignore", "-c", code)
    assert done.returncode == 0, done.stderr
    line = r"[\w()\- ]+: a pixel per item [\d.]+ ms, a row per item [\d.]+ ms"
    assert all(re.fullmatch(line, text) for text in done.stdout.splitlines())
    assert "Intel" in done.stdout
