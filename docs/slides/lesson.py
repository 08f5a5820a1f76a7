"""Reads a lesson: its parts, their blocks, and its questions with their folded answers."""

import re
from dataclasses import dataclass, field

from markdown_it import MarkdownIt

from ladder import registry
from ladder.common.staleness import ROOT

# A label, and where it names one, the rung that a change starts from.
LABEL = re.compile(r"\*\*([A-Z].*?)\*\*\s*(\(from (?:\[[^]]*\]\([^)]*\)|[^()])*\)\.\s*)?", re.S)
LINK = re.compile(r"(?<!!)\[([^][]+)\]\([^)\s]+\)")
IMAGE = re.compile('<img src="([^"]*)".* alt="([^"]*)">')
# A row of a lesson's path: the page of a rung, or an exercise.
STEP = re.compile(r"^\| (read|more) \| \[([\w.]+)\]|^\| `\d+_\d+_(\w+)`", re.M)
SUMMARY = re.compile(r"<summary>(.*?)</summary>")
MEASURED = "Open after predicting"
NO_ANSWERS = (MEASURED, "All times", "Notes")  # how folded text begins that is no answer
READER = MarkdownIt().enable("table")


@dataclass
class Block:
    """A piece of Markdown: a paragraph, a list, a table, a picture, code, or folded text."""

    kind: str  # "paragraph", "list", "table", "picture", "code", "folded", "html"
    text: str
    info: str = ""  # the language of code, or the summary of folded text

    def is_answer(self):
        """Return whether this is the folded answer of a question."""
        return self.kind == "folded" and not self.info.startswith(NO_ANSWERS)


@dataclass
class Part:
    """The blocks below a heading, or from a bold label such as "Idea" to the next."""

    section: str  # the heading of level 2; empty before the first
    heading: str  # the last heading
    label: str = ""
    blocks: list[Block] = field(default_factory=list)

    @property
    def name(self):
        """The label, or the heading."""
        return self.label or self.heading

    def is_try(self):
        """Return whether its numbered items are questions."""
        return self.label.startswith("Try") or (not self.label and self.heading.startswith("Try"))


@dataclass
class Question:
    """A question of a part, and its answer: blocks of both."""

    part: Part
    number: str = ""  # of the item, then 1b, 1c; empty if the part has a single question
    asked: list[Block] = field(default_factory=list)
    answer: list[Block] = field(default_factory=list)


def rungs(folder):
    """Return the rungs of a lesson."""
    return [rung for rung in registry.RUNGS if rung.folder == folder]


def needed(folder, chosen):
    """Return the keys of the rungs whose pages some exercises need.

    These are, in the lesson's path, the pages to read above an exercise and the page directly
    above it, and the pages of the rungs that it needs or asks for. Without exercises, all pages.
    """
    if not chosen:
        return {rung.key for rung in rungs(folder)}
    keys = {exercise.needs for exercise in chosen}
    keys |= {exercise.speed.solution for exercise in chosen if exercise.speed}
    names, read, above = {exercise.name for exercise in chosen}, [], ""
    path = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    for kind, key, exercise in STEP.findall(path):
        if exercise in names:
            keys.update(read, [above])
        if kind == "read":
            read.append(key)
        above = key
    return keys


def given(folder, chosen):
    """Return the keys of the rungs that some exercises start from, and do not ask for.

    The first rung of all is one of them.
    """
    speeds = [exercise.speed for exercise in chosen if exercise.speed]
    starts = {rung.key for rung in rungs(folder) if rung.before is None}
    return starts | {speed.before for speed in speeds} - {speed.solution for speed in speeds}


def text_of(folder):
    """Return a lesson as one text: its README, and the pages of its rungs as sections."""
    readme = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    pages = [ROOT / rung.page for rung in rungs(folder)]
    texts = (page.read_text(encoding="utf-8") for page in pages)
    return "\n".join([readme, *("#" + text.replace("\n## ", "\n### ") for text in texts)])


def parts(text):
    """Return the title of a page and its parts."""
    title, found = "", [Part("", "")]
    for block in blocks(text):
        if block.kind == "heading":
            level, _, heading = block.text.partition(" ")
            heading = plain(heading)
            if level == "#":
                title = heading
                continue
            section = heading if level == "##" else found[-1].section
            found.append(Part(section, heading))
            continue
        label = LABEL.match(block.text) if block.kind == "paragraph" else None
        if label:
            name = plain(f"{label[1].rstrip('.:')} {label[2] or ''}").rstrip(".")
            found.append(Part(found[-1].section, found[-1].heading, name))
            block.text = block.text[label.end() :]
        if block.text:
            found[-1].blocks.append(block)
    return title, [part for part in found if part.blocks]


def blocks(text):
    """Return the top blocks of a text; folded text is one block."""
    lines, found, depth = text.splitlines(), [], 0
    for token in READER.parse(text):
        if token.level or token.nesting < 0:
            continue
        first, last = token.map
        source = "\n".join(lines[first:last]).strip("\n")
        if token.type == "html_block":
            before, depth = depth, depth + source.count("<details") - source.count("</details")
            if before == 0 and "<details" in source:
                found.append(Block("folded", "", SUMMARY.search(source)[1]))
            if before or "<details" in source:
                found[-1].text += re.sub("</?details>|<summary>.*?</summary>", "", source) + "\n\n"
            elif image := IMAGE.match(source):
                found.append(Block("picture", f"![{image[2]}]({image[1]})"))
            elif not source.startswith("<!--"):
                found.append(Block("html", source))
        elif depth:
            found[-1].text += source + "\n\n"
        else:
            found.append(block_of(token, source))
    return found


def block_of(token, source):
    """Return the block of a token whose Markdown is `source`."""
    if token.type == "fence":
        return Block("code", token.content.rstrip("\n"), token.info)
    kind = token.type.removesuffix("_open")
    if kind == "paragraph" and source.startswith("!["):
        kind = "picture"
    return Block("list" if kind.endswith("list") else kind, source)


def plain(text):
    """Return a text in one line, without links."""
    return LINK.sub(r"\1", " ".join(text.split()))


def items(numbered):
    """Return the number and the text of each item of a numbered list."""
    ends = [*re.finditer(r"^(\d+)\. +", numbered, re.M)]
    for item, after in zip(ends, [*ends[1:], None], strict=True):
        text = numbered[item.end() : after.start() if after else None]
        yield item[1], re.sub(rf"^ {{1,{item.end() - item.start()}}}", "", text, flags=re.M)


def questions(part):
    """Return the questions of a part; none if it has no folded answer and is no "Try"."""
    if not part.is_try():
        return divided(part, "", part.blocks) if any(map(Block.is_answer, part.blocks)) else []
    entries = [("", [])]  # the number of an item, and its blocks
    for block in part.blocks:
        if block.kind == "list" and re.match(r"\d+\. ", block.text):
            entries += [(number, blocks(text)) for number, text in items(block.text)]
        else:
            entries[-1][1].append(block)
    (_, introduction), *numbered = entries
    if numbered and not any(map(Block.is_answer, introduction)):
        numbered[0][1][:0] = introduction
        entries = numbered
    return [question for number, found in entries for question in divided(part, number, found)]


def divided(part, number, found):
    """Return the questions of an item: a new one begins where another answer follows below."""
    every = [Question(part, number)] if found else []
    for at, block in enumerate(found):
        last = every[-1]
        if last.answer and not block.is_answer() and any(map(Block.is_answer, found[at:])):
            last = Question(part, f"{number}{chr(ord('a') + len(every))}")
            every.append(last)
        (last.answer if last.answer or block.is_answer() else last.asked).append(block)
    return every
