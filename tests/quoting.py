"""Quotations in lessons: whether code, links and the texts of pictures are those of the sources."""

import re
import runpy
import textwrap

import documents


def blocks(text, *languages):
    """Return the code blocks in these languages in a Markdown text."""
    return re.findall(rf"```(?:{'|'.join(languages)})\n(.*?)```", text, re.S)


def stands_in(block, files):
    """Whether a file contains the lines of a block, indented or not."""
    lines = textwrap.dedent(block).strip("\n").splitlines()
    indents = [" " * depth for depth in range(0, 13, 4)]
    candidates = ["\n".join(i + line if line else "" for line in lines) for i in indents]
    sources = [file.read_text(encoding="utf-8") for file in files]
    return any(candidate in source for candidate in candidates for source in sources)


def without_code(text):
    """Return a Markdown text without its code blocks and its inline code."""
    return re.sub(r"`[^`\n]+`", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))


def broken_links(text, folder):
    """Return the broken links of a text in that folder; web addresses are not checked."""
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


def drawn_texts(script):
    """Return the texts of a picture as committed, and as its script draws them now."""
    from polymask.report.charts import drawing

    now = drawing.svg(runpy.run_path(str(script))["draw"]())
    committed = script.with_suffix(".svg").read_text(encoding="utf-8")
    return [re.findall("<text[^>]*>([^<]*)<", svg) for svg in (committed, now)]
