"""The page of three styles: one mask as array, loop and kernel, from the rungs' own sources.

All of it follows from the registry: which rungs there are, of what style, and where their code is.
"""

import re
from dataclasses import dataclass
from importlib import resources

from polymask.common import saving
from polymask.ladder import registry
from polymask.report.charts import drawing
from polymask.report.page import highlighting, page

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
        """The lines of its code as markup, each with how far it is indented."""
        return highlighting.lines(self.code, self.language)


@dataclass(frozen=True)
class Example:
    """A rung, with the files of csrc that it names."""

    key: str
    title: str
    other_algorithm: bool
    sources: tuple[Source, ...]


def write(file):
    """Write the page; raise `Unavailable` where Jinja is not installed."""
    saving.write(file, html())


def html():
    """Return the page."""
    return (
        page.environment()
        .get_template("three_styles.jinja")
        .render(
            styles={style: examples(style) for style in STYLES},
            rule=of_csrc(RULE),
            style="\n".join(map(page.text, ("style.css", "three_styles.css"))),
            light=drawing.colours(dark=False),
            dark=drawing.colours(dark=True),
        )
    )


def examples(style):
    """Return the rungs of a style: what brings the style in, the ladder, another algorithm."""
    rungs = [rung for rung in registry.RUNGS if rung.style == style]
    first = next((rung for rung in rungs if rung.changes == STYLES[style]), rungs[0])
    rungs.sort(key=lambda rung: (rung is not first, registry.other_algorithm(rung)))
    return [
        Example(
            rung.key,
            rung.title,
            registry.other_algorithm(rung),
            (of_rung(rung), *map(of_csrc, named(rung.source()))),
        )
        for rung in rungs
    ]


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
