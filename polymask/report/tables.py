"""A table as data, and its looks: in a terminal, in Markdown; page/tables.jinja has its HTML."""

import html
import math
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

STAYS = math.inf  # however narrow the terminal is


@dataclass(frozen=True)
class Heading:
    """A column: its heading, how it is aligned, and when it makes room."""

    text: str
    words: bool = False  # they stand at the left; numbers stand at the right
    leaves: float = STAYS  # which of a table that is too wide go first: the lowest number


@dataclass(frozen=True)
class Table:
    """Texts in rows and columns."""

    title: str
    columns: tuple[Heading, ...]
    rows: list[tuple[str, ...]]
    caption: str = ""
    styles: list[str | None] = field(default_factory=list)  # of rows, by rich's names

    @property
    def headings(self):
        """The texts of the headings."""
        return tuple(column.text for column in self.columns)

    def part(self, places):
        """Return the table of the columns in these places."""
        columns = tuple(self.columns[place] for place in places)
        rows = [tuple(row[place] for place in places) for row in self.rows]
        return Table(self.title, columns, rows, self.caption, self.styles)


def table(title, headings, words, rows):
    """Return a table whose first columns, so many, hold words."""
    columns = tuple(Heading(text, place < words) for place, text in enumerate(headings))
    return Table(title, columns, rows)


def markdown(shown):
    """Return the lines of a table in Markdown, below its title."""
    lines = [f"**{shown.title}**", ""] if shown.title else []
    lines.append(f"| {' | '.join(shown.headings)} |")
    lines.append(f"|{'|'.join(':--' if one.words else '--:' for one in shown.columns)}|")
    return lines + [f"| {' | '.join(map(in_a_cell, row))} |" for row in shown.rows]


def in_a_cell(text):
    """Return a text that stays one, in one cell, whatever stands in it."""
    return html.escape(text, quote=False).replace("|", "\\|").replace("\n", " ")


def for_terminal(shown, width=math.inf, wrap="", **looks):
    """Return a table as rich renders it, with as many columns as fit into `width`.

    With `wrap`, texts are broken between words, and longer words as rich calls it: "fold" breaks
    them, "ellipsis" cuts them.
    """
    places = list(range(len(shown.columns)))
    order = sorted(places, key=lambda place: shown.columns[place].leaves)
    for place in order:
        made = _for_rich(shown.part(places), wrap, looks)
        if shown.columns[place].leaves == STAYS or width_of(made) <= width:
            return made
        places.remove(place)
    return _for_rich(shown.part(places), wrap, looks)


def _for_rich(shown, wrap, looks):
    made = RichTable(
        title=shown.title or None, caption=shown.caption or None, title_justify="left", **looks
    )
    overflow = wrap or "ellipsis"
    for column in shown.columns:
        justify = "left" if column.words else "right"
        made.add_column(column.text, justify=justify, overflow=overflow, no_wrap=not wrap)
    for row, style in zip(shown.rows, shown.styles or [None] * len(shown.rows), strict=True):
        made.add_row(*map(Text, row), style=style)  # the name of a file is no markup
    return made


def width_of(made):
    """Return how many columns of a terminal a table of rich's takes."""
    return Console(width=1000, markup=False, emoji=False).measure(made).maximum
