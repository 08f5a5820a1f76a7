"""Lessons quote what is there: whether a block of code stands in one of some files."""

import re
import textwrap

import documents


def blocks(text, *languages):
    """Return the blocks of code of these languages in a text of Markdown."""
    return re.findall(rf"```(?:{'|'.join(languages)})\n(.*?)```", text, re.S)


def stands_in(block, files):
    """Whether a file has the lines of a block, further to the right or not."""
    lines = textwrap.dedent(block).strip("\n").splitlines()
    indents = [" " * depth for depth in range(0, 13, 4)]
    written = ["\n".join(i + line if line else "" for line in lines) for i in indents]
    sources = [file.read_text(encoding="utf-8") for file in files]
    return any(form in source for form in written for source in sources)


def without_code(text):
    """Return a text of Markdown without its blocks of code, and without code in sentences."""
    return re.sub(r"`[^`\n]+`", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))


def broken_links(text, folder):
    """Return the links of a text in that folder that lead nowhere; the web's are not tried."""
    headings = set(map(documents.anchor, re.findall(r"^#+ (.*)$", text, re.M)))
    return [
        link
        for link in re.findall(r"\]\(([^)]+)\)", without_code(text))
        if "://" not in link
        and not (
            link[1:] in headings
            if link.startswith("#")
            else (folder / link.partition("#")[0]).exists()
        )
    ]
