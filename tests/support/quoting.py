"""Code blocks of pages, whether a source file contains them, and whether links work."""

import functools
import re
import textwrap
from typing import NamedTuple

FENCE = re.compile(
    r"(?:^ *<!-- not run: (?P<reason>.+) -->\n\n?)?"
    r"^(?P<indent> *)```(?P<language>[^`\n]*)\n(?P<code>.*?)^(?P=indent)```$",
    re.M | re.S,
)
OUTPUT = re.compile(r"\n\n *```text\n(.*?)^ *```$", re.M | re.S)


class Block(NamedTuple):
    """A code block: the line of its fence, the output shown below, and why it does not run."""

    line: int
    language: str
    code: str
    indented: bool
    output: str | None
    reason: str | None


def all_blocks(text):
    """Return the code blocks in a Markdown text, without the indentation of a list."""
    found = []
    for fence in FENCE.finditer(text):
        line = 1 + text.count("\n", 0, fence.start("indent"))
        code, indented = textwrap.dedent(fence["code"]), bool(fence["indent"])
        output = OUTPUT.match(text, fence.end())
        shown = textwrap.dedent(output[1]) if output else None
        found.append(Block(line, fence["language"], code, indented, shown, fence["reason"]))
    return found


def blocks(text, *languages):
    """Return the code in these languages in a Markdown text."""
    return [block.code for block in all_blocks(text) if block.language in languages]


@functools.cache
def content(file):
    """Return the content of a source file."""
    return file.read_text(encoding="utf-8")


def stands_in(block, files):
    """Whether a file contains the lines of a block, indented or not."""
    lines = textwrap.dedent(block).strip("\n").splitlines()
    indents = [" " * depth for depth in range(0, 13, 4)]
    candidates = ["\n".join(i + line if line else "" for line in lines) for i in indents]
    sources = [content(file) for file in files]
    return any(candidate in source for candidate in candidates for source in sources)
