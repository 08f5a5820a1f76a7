"""Divides the blocks of a part among slides that hold them: 1280 x 720 pixels each."""

import re
from math import ceil

from lesson import LINK, Block, plain

LINES = 15  # of code on a slide
HEIGHT = 570  # pixels below the title
CAPTION = 200  # of a text that stands above a picture, at most
PROSE, PROSE_WIDTH = 42, 68  # pixels of a line, and its characters
# Characters of the longest line to the pixels of a line, which style.css sets; longer lines wrap.
CODE = {72: 33, 100: 25, 125: 21}
WRAPPED = 999  # for tables of which some row takes more than one line
ROWS = {80: 38, 108: 31, WRAPPED: 31}
GAP = 22  # pixels between blocks
ITEM = re.compile(r"^(?=[-*] |\d+\. )", re.M)
CODE_IN_ITEM = re.compile(r"^ +```.*?^ +```$", re.M | re.S)


def pages(blocks):
    """Return lists of blocks, one for each slide."""
    found, left = [], 0
    every = [piece for block in blocks for piece in pieces(block)]
    for block, after in zip(every, [*every[1:], None], strict=True):
        is_picture = block.kind == "picture"
        if left < (HEIGHT - CAPTION if is_picture else with_next(block, after)):
            found.append([])
            left = HEIGHT
        found[-1].append(block)
        left -= left if is_picture else height(block) + GAP
    return found


def with_next(block, after):
    """Return the height of a block, and of the next if the block introduces it."""
    alone = height(block) + GAP
    introduces = after and block.kind == "paragraph" and block.text.endswith(":")
    together = alone + height(after) + GAP if introduces else alone
    return together if together <= HEIGHT else alone


def pieces(block):
    """Return the pieces of a block, none higher than a slide."""
    if block.kind == "code":
        return [Block("code", text, block.info) for text in excerpts(block.text.split("\n"))]
    if block.kind == "table":
        head, lines = block.text.split("\n")[:2], block.text.split("\n")[2:]
        width = table_width(block.text)
        parts = filled(lines, lambda line: row_height(line, width))
        return [Block("table", "\n".join(head + part)) for part in parts]
    if block.kind == "list":
        return [Block("list", item) for item in ITEM.split(block.text) if item]
    if block.kind == "paragraph":
        parts = filled(sentences(block.text), prose_height)
        return [Block("paragraph", " ".join(part)) for part in parts]
    return [block]


def excerpts(lines):
    """Return code in pieces of at most LINES lines, which end at empty lines where possible."""
    found = []
    while lines:
        end = min(LINES, len(lines))
        if end < len(lines) and "" in lines[1 : end + 1]:
            end -= lines[1 : end + 1][::-1].index("")
        found.append("\n".join(lines[:end]).strip("\n"))
        lines = lines[end:]
    return found


def filled(entries, measure):
    """Return the entries in lists that fit on a slide."""
    found, left = [], 0
    for entry in entries:
        needed = measure(entry)
        if needed > left:
            found.append([])
            left = HEIGHT - 2 * GAP - PROSE
        found[-1].append(entry)
        left -= needed
    return found


def height(block):
    """Return the estimated height of a block in pixels."""
    if block.kind == "code":
        lines = block.text.split("\n")
        width = code_width(block.text)
        return 20 + CODE[width] * sum(max(1, ceil(len(line) / width)) for line in lines)
    if block.kind == "table":
        width = table_width(block.text)
        head, _, *lines = block.text.split("\n")
        return sum(row_height(line, width) for line in [head, *lines])
    if block.kind == "list":  # of one item, with a smaller gap below
        code = sum(height(Block("code", text)) for text in CODE_IN_ITEM.findall(block.text))
        return prose_height(CODE_IN_ITEM.sub("", block.text)) + code - 10
    return HEIGHT if block.kind == "picture" else prose_height(block.text)


def code_width(text):
    """Return the characters for which the font of a code block is chosen."""
    longest = max(map(len, text.split("\n")))
    return next((width for width in CODE if longest <= width), max(CODE))


def prose_height(text):
    """Return the estimated height of a text."""
    return PROSE * ceil(len(plain(text)) / PROSE_WIDTH)


def cells(line):
    """Return the characters of each cell of a row."""
    return [len(LINK.sub(r"\1", cell).strip()) + 2 for cell in line.strip("|").split("|")]


def table_width(text):
    """Return the characters for which the font of a table is chosen."""
    rows = [cells(line) for line in text.split("\n") if not line.startswith("|-")]
    columns = [max(row[i] for row in rows) for i in range(min(map(len, rows)))]
    return next((width for width in ROWS if sum(columns) <= width), WRAPPED)


def row_height(line, width):
    """Return the estimated height of a row; cells of unequal length wrap more often."""
    total = sum(cells(line))
    in_one_line = width != WRAPPED or total <= 86
    return ROWS[width] * (1 if in_one_line else 1 + ceil(total / 72))


def sentences(text):
    """Return the sentences of a paragraph; code and brackets are not divided."""
    found, last, text = [], 0, plain(text)
    for end in re.finditer(r"(?<=[.?!:]) +(?=[A-Z`*\[\"])", text):
        before = text[last : end.start()]
        whole = before.count("`") % 2 == 0 and before.count("(") == before.count(")")
        if whole and not before.endswith(":"):
            found.append(before)
            last = end.end()
    return [*found, text[last:]]


def lead(text, most=300):
    """Return the first sentences of a paragraph, and the last if it introduces what follows."""
    every = sentences(text)
    shown, length = [], 0
    for sentence in every:
        length += len(sentence)
        if shown and length > most:
            break
        shown.append(sentence)
    if len(shown) < len(every) and every[-1].endswith(":"):
        shown.append(every[-1])
    return " ".join(shown)
