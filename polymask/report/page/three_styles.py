"""The page of three styles: one mask as array, loop and kernel, from the rungs' own sources.

All of it follows from the registry: which rungs there are, of what style, and where their code is.
"""

import html
import re
from dataclasses import dataclass
from importlib import resources

from polymask.common import saving
from polymask.ladder import registry
from polymask.report.charts import drawing
from polymask.report.page import page

RULE = "inside_polygon.h"
# Each style, and the change that brings it in: the page shows the first rung that makes it.
STYLES = {"array": "library", "loop": "threads", "kernel": "device"}
DOCSTRING = re.compile(r'\A((?:#[^\n]*\n)*)"""(.*?)"""\n+', re.S)
# What a source names of csrc: a file in quotes, or a declaration that Cython cimports.
NAMED = re.compile(r'"([\w/]+\.\w+)"|^\s*from (\w+) cimport', re.M)
SHOWN = (".cl", ".cu", ".c", ".cpp")


@dataclass(frozen=True)
class Source:
    """A file as the page shows it."""

    name: str  # from the root of a checkout
    about: str  # what its docstring says, a paragraph each
    code: str  # the rest of it, as it stands
    language: str

    @property
    def lines(self):
        """The lines of its code: how far each is indented, in letters, and its markup.

        There is a class for each kind of token; the stylesheet has few, and few are seen.
        """
        from markupsafe import Markup
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import get_lexer_by_name

        lexer = get_lexer_by_name(self.language, stripnl=False, ensurenl=False)
        markup = highlight(self.code, lexer, HtmlFormatter(nowrap=True)).rstrip("\n").split("\n")
        texts = [html.unescape(re.sub("<[^>]*>", "", line)) for line in markup]
        return [
            (len(text) - len(text.lstrip(" ")), Markup(line))
            for text, line in zip(texts, markup, strict=True)
        ]


def write(file):
    """Write the page; raise `Unavailable` where Jinja is not installed."""
    saving.write(file, as_html())


def as_html():
    """Return the page."""
    template = page.environment().get_template("three_styles.jinja")
    return template.render(
        styles={style: examples(style) for style in STYLES},
        rule=of_csrc(RULE),
        other_algorithm=registry.other_algorithm,
        style="\n".join(map(page.text, ("style.css", "three_styles.css"))),
        light=drawing.colours(dark=False),
        dark=drawing.colours(dark=True),
    )


def examples(style):
    """Return the rungs of a style, each with its files: what brings the style in comes first.

    Then comes the ladder, and then another algorithm.
    """
    rungs = [rung for rung in registry.RUNGS if rung.style == style]
    first = next((rung for rung in rungs if rung.changes == STYLES[style]), rungs[0])
    rungs.sort(key=lambda rung: (rung is not first, registry.other_algorithm(rung)))
    return [(rung, [of_rung(rung), *map(of_csrc, named(rung.source()))]) for rung in rungs]


def of_rung(rung):
    """Return the file of a rung, with what its docstring says apart."""
    source = rung.source()
    found = DOCSTRING.match(source)
    about, code = (found[2], found[1] + source[found.end() :]) if found else ("", source)
    return Source(rung.file, about.strip(), code, rung.language)


def of_csrc(name):
    """Return a file of csrc; what a comment at its top says is a part of the code there."""
    text = resources.files("polymask.csrc").joinpath(*name.split("/")).read_text(encoding="utf-8")
    return Source(f"csrc/{name}", "", text, "c")


def named(source):
    """Return the files of csrc with code that a rung's source names, in its order."""
    files = {file.rpartition("/")[2]: file for file in code_of_csrc()}
    found = []
    for quoted, declared in NAMED.findall(source):
        names = [quoted] if quoted else [declared + suffix for suffix in SHOWN]
        found += [files[name] for name in names if name in files]
    return list(dict.fromkeys(found))


def code_of_csrc():
    """Yield the names of csrc's own files of code, from there; the engine is a library."""
    csrc = resources.files("polymask.csrc")
    for folder in ("", "offload"):
        for file in sorted(csrc.joinpath(folder).iterdir(), key=lambda file: file.name):
            if file.name.endswith(SHOWN):
                yield f"{folder}/{file.name}".lstrip("/")
