"""A table as data, rendered for a terminal and in Markdown; page/tables.jinja has the HTML."""

import html
import math
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

STAYS = math.inf  # a column for terminals of any width


@dataclass(frozen=True)
class Heading:
    """A column: its heading, its alignment, and its order of removal."""

    text: str
    words: bool = False  # aligned left; numbers are aligned right
    leaves: float = STAYS  # order of removal from a table that is too wide, the lowest first


@dataclass(frozen=True)
class Table:
    """Texts in rows and columns."""

    title: str
    columns: tuple[Heading, ...]
    rows: list[tuple[str, ...]]
    caption: str = ""
    styles: list[str | None] = field(default_factory=list)  # one for each row, for rich

    @property
    def headings(self):
        """The texts of the headings."""
        return tuple(column.text for column in self.columns)

    def part(self, indices):
        """Return the table with only the columns at these indices."""
        columns = tuple(self.columns[index] for index in indices)
        rows = [tuple(row[index] for index in indices) for row in self.rows]
        return Table(self.title, columns, rows, self.caption, self.styles)


def make(title, headings, words, rows):
    """Return a table whose first `words` columns hold words."""
    columns = tuple(Heading(text, index < words) for index, text in enumerate(headings))
    return Table(title, columns, rows)


def markdown(table):
    """Return the lines of a table in Markdown, with its title."""
    lines = [f"**{table.title}**", ""] if table.title else []
    lines.append(f"| {' | '.join(table.headings)} |")
    lines.append(f"|{'|'.join(':--' if column.words else '--:' for column in table.columns)}|")
    return lines + [f"| {' | '.join(map(in_a_cell, row))} |" for row in table.rows]


def in_a_cell(text):
    """Escape a text so that it stays in one cell."""
    return html.escape(text, quote=False).replace("|", "\\|").replace("\n", " ")


def for_terminal(table, width=math.inf, wrap="", **looks):
    """Return a table for rich, with as many columns as fit into `width`.

    With `wrap`, lines are broken between words. Its value is rich's method for words that are too
    long: "fold" breaks them, "ellipsis" cuts them.
    """
    indices = list(range(len(table.columns)))
    order = sorted(indices, key=lambda index: table.columns[index].leaves)
    for index in order:
        rendered = _for_rich(table.part(indices), wrap, looks)
        if table.columns[index].leaves == STAYS or width_of(rendered) <= width:
            return rendered
        indices.remove(index)
    return _for_rich(table.part(indices), wrap, looks)


def _for_rich(table, wrap, looks):
    rendered = RichTable(
        title=table.title or None, caption=table.caption or None, title_justify="left", **looks
    )
    overflow = wrap or "ellipsis"
    for column in table.columns:
        justify = "left" if column.words else "right"
        rendered.add_column(column.text, justify=justify, overflow=overflow, no_wrap=not wrap)
    for row, style in zip(table.rows, table.styles or [None] * len(table.rows), strict=True):
        rendered.add_row(*map(Text, row), style=style)  # Text: do not read file names as markup
    return rendered


def width_of(rendered):
    """Return the width of a rich table in characters."""
    return Console(width=1000, markup=False, emoji=False).measure(rendered).maximum
