"""The page of three styles: one mask in array, loop and kernel style, from the rungs' sources.

The registry lists the rungs, their styles, and their files.
"""

import html
import re
from dataclasses import dataclass
from importlib import resources

from ladder import registry
from ladder.report.charts import drawing
from ladder.report.page import page
from polymask.common import saving

RULE = "inside_polygon.h"
# Each style and the change that introduces it: the page shows the first rung with that change.
STYLES = {"array": "library", "loop": "threads", "kernel": "device"}
DOCSTRING = re.compile(r'\A((?:#[^\n]*\n)*)"""(.*?)"""\n+', re.S)
# References to csrc in a source: a file in quotes, or a declaration that Cython cimports.
REFERENCE = re.compile(r'"([\w/]+\.\w+)"|^\s*from (\w+) cimport', re.M)
CODE_SUFFIXES = (".cl", ".cu", ".c", ".cpp")


@dataclass(frozen=True)
class Source:
    """A file for the page."""

    name: str  # from the root of a checkout
    about: str  # its docstring, in paragraphs
    code: str  # the file without its docstring
    language: str

    @property
    def lines(self):
        """The lines of its code, each as the width of its indentation and its markup.

        Each kind of token has a class; the stylesheet defines only a few of these.
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
    """Write the page; raise `Unavailable` if Jinja is not installed."""
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
    """Return the rungs of a style, each with its files.

    The rung that introduces the style is first, followed by the ladder and by other algorithms.
    """
    rungs = [rung for rung in registry.RUNGS if rung.style == style]
    first = next((rung for rung in rungs if rung.changes == STYLES[style]), rungs[0])
    rungs.sort(key=lambda rung: (rung is not first, registry.other_algorithm(rung)))
    return [(rung, [of_rung(rung), *map(of_csrc, csrc_files(rung.source()))]) for rung in rungs]


def of_rung(rung):
    """Return the file of a rung, with its docstring separated."""
    source = rung.source()
    match = DOCSTRING.match(source)
    about, code = (match[2], match[1] + source[match.end() :]) if match else ("", source)
    return Source(rung.file, about.strip(), code, rung.language)


def of_csrc(name):
    """Return a file of csrc, whose first comment counts as code."""
    text = resources.files("polymask.csrc").joinpath(*name.split("/")).read_text(encoding="utf-8")
    return Source(f"csrc/{name}", "", text, "c")


def csrc_files(source):
    """Return the code files of csrc that a rung's source refers to, in its order."""
    files = {file.rpartition("/")[2]: file for file in code_of_csrc()}
    paths = []
    for quoted, declared in REFERENCE.findall(source):
        names = [quoted] if quoted else [declared + suffix for suffix in CODE_SUFFIXES]
        paths += [files[name] for name in names if name in files]
    return list(dict.fromkeys(paths))


def code_of_csrc():
    """Yield the names of csrc's code files, relative to it, without the engine."""
    csrc = resources.files("polymask.csrc")
    for folder in ("", "offload"):
        for file in sorted(csrc.joinpath(folder).iterdir(), key=lambda file: file.name):
            if file.name.endswith(CODE_SUFFIXES):
                yield f"{folder}/{file.name}".lstrip("/")
