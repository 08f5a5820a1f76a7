"""Code blocks of the pages: programs run and print the output shown, the others stand in a file.

Each block of Python, Cython, C and C++ is one of these:

- a quotation: a source file contains its lines;
- marked with `<!-- not run: the reason -->` in the line before it;
- in a list in a lesson: part of an exercise, which has a test of its own;
- a program. Those in Python run in order and share their names, as if pasted. A block ```text that
  follows is their output. They are skipped if a library is missing. Those in C and C++ compile.
"""

import ast
import contextlib
import io
import itertools
import re
import shlex
import shutil
from glob import glob

import click
import documents
import pytest
from cases import case, folded
from checkouts import ROOT
from commands import ran
from quoting import all_blocks, stands_in

from polymask.cli import polymask_command

LEFT_OUT = {".venv", "build"}
FILES = [file for file in sorted(ROOT.rglob("*.md")) if not LEFT_OUT & set(file.parts)]
PAGES = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in FILES}
# Pages whose programs need several libraries, or given variables, and the tests that run them.
ELSEWHERE = {
    "COMING_FROM.md": "docs/test_coming_from.py",
    **dict.fromkeys(glob("8_sycl/*.md", root_dir=ROOT), "ladder/test_sycl_lesson.py"),
    "docs/gpu.md": "docs/test_gpu_page.py",
    "docs/parallel_primitives.md": "docs/test_primitives.py",
}
IN_PYTHON = [page for page, text in PAGES.items() if "```python\n" in text]
FOLDERS = [
    *ROOT.glob("[0-9]_*"),
    ROOT / "csrc",
    *(ROOT / room for room in ("polymask", "ladder", "building")),
]
SUFFIXES = {".py", ".pyx", ".pxd", ".c", ".h", ".cl", ".cpp", ".hpp", ".inl"}
SOURCES = [file for folder in FOLDERS for file in folder.rglob("*.*") if file.suffix in SUFFIXES]
SOURCES.append(ROOT / "setup.py")
HEADERS = ROOT / "csrc/engine/include"
COMPILERS = {"c": ["cc", "-std=c11", "-xc"], "cpp": ["c++", "-std=c++20", "-xc++"]}


def programs(page, *languages):
    """Return the blocks of a page that are neither marked, nor exercises, nor quotations."""
    is_lesson = re.match(r"\d_\w+/\w+\.md", page)
    return [
        block
        for block in all_blocks(PAGES[page])
        if block.language in languages
        and not block.reason
        and not (is_lesson and block.indented)
        and (block.output or not stands_in(block.code, SOURCES))
    ]


def missing(code):
    """Return the packages that a program imports and that are not installed."""
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module)
    packages = {name.partition(".")[0] for name in names}
    return sorted(package for package in packages if not documents.installed(package))


def printed(block, names):
    """Run a program; return its output."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(block.code, f"<block in line {block.line}>", "exec"), names)
    return output.getvalue()


@pytest.mark.parametrize("page", [page for page in IN_PYTHON if page not in ELSEWHERE])
def test_programs_print_the_output_shown(page, monkeypatch):
    monkeypatch.chdir(ROOT)  # they read examples/
    names = {}
    for block in programs(page, "python"):
        with case(f"line {block.line}"):
            if not missing(block.code):
                output = printed(block, names)
                assert block.output in (None, output), output


@folded("page", PAGES)
def test_programs_in_c_and_cpp_compile(page):
    assert not programs(page, "cython")
    for block in programs(page, "c", "cpp"):
        command = COMPILERS[block.language]
        if not shutil.which(command[0]):
            pytest.skip(f"there is no {command[0]}")
        includes, body = re.fullmatch(r"((?:#include [^\n]*\n)*)(.*)", block.code, re.S).groups()
        program = f"#include <stdio.h>\n{includes}int main(void)\n{{\n{body}}}\n"
        done = ran([*command, "-fsyntax-only", f"-I{HEADERS}", "-"], input=program)
        assert done.returncode == 0, (block.line, done.stderr)


def commands(text):
    """Yield the arguments of each command `polymask`, in a line or in a block, up to a pipe."""
    for code in re.findall(
        r"`polymask ([a-z][^`\n]*)`", re.sub(r"^ *```.*?^ *```", "", text, flags=re.S | re.M)
    ):
        yield shlex.split(code)
    for block in all_blocks(text):
        if block.language in ("", "sh", "console"):
            for line in block.code.replace("\\\n", " ").splitlines():
                if found := re.match(r"(?:\$ )?polymask (.+)", line):
                    words = shlex.shlex(found[1], posix=True, punctuation_chars=True)
                    words.whitespace_split = True
                    yield list(itertools.takewhile(lambda word: word[0] not in "|>&;", words))


@pytest.fixture
def parse(monkeypatch):
    """Let click parse arguments of `polymask`, without reading values or running a command."""
    monkeypatch.setattr(click.Parameter, "process_value", lambda self, context, value: value)
    monkeypatch.setattr(click.Command, "invoke", lambda self, context: None)
    return lambda arguments: polymask_command.main(arguments, "polymask", standalone_mode=False)


@folded("page", PAGES)
def test_commands_have_their_options(page, parse):
    for arguments in commands(PAGES[page]):
        with case(arguments), contextlib.suppress(click.BadOptionUsage):  # without its argument
            parse(arguments)
