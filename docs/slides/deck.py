"""Makes the slides of a lesson, and of the course's opening, as HTML for reveal.js."""

import html
import re
from dataclasses import dataclass, field
from pathlib import Path

import lesson
import paging
from lesson import MEASURED, Block
from markdown_it import MarkdownIt
from PIL import Image
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

ROOT = Path(__file__).resolve().parents[2]
SHOWN = (
    "Question", "Picture", "Idea", "What changed", "By hand", "The cost, by hand", "Predict",
    "See it",
)  # fmt: skip
BEFORE = ("Question", "Picture", "Idea", "By hand", "Predict")  # shown before the exercises
PROGRAM = ("The program", "What changed")  # shown before exercises that start from it
WHOLE = ("Question", "Predict")  # shown with every sentence; others with their first sentences
NOT_SHOWN = ("Usual mistakes", "Exercises", "The path", "More", "Read on")
VISUAL = ("table", "picture", "code")
PICTURE = re.compile(r"!\[(.*?)\]\(<?([^)>]+)>?\)", re.S)
DARK = re.compile(r"prefers-color-scheme: *dark")


@dataclass
class Slide:
    """A title, its Markdown blocks, and Markdown for the speaker only."""

    title: str
    blocks: list[Block] = field(default_factory=list)
    notes: str = ""
    kind: str = ""  # a class of style.css


def slides(folder, chosen):
    """Return the title of a lesson, and its columns of slides before and after its exercises.

    Before the exercises are the parts up to the first change, the question of each page that the
    exercises need, and the program that they start from. The others, such as code, times and the
    questions of "Try", give away answers, and come after them. The other pages come last.
    """
    title, parts = lesson.parts(lesson.text_of(folder))
    needed, given = lesson.needed(folder, chosen), lesson.given(folder, chosen)
    spared = {rung.key for rung in lesson.rungs(folder)} - needed
    before, after, last, changed = [], [], [], False
    for part in parts:
        shown = of_part(part)
        key = part.section.partition(":")[0]
        if key in spared:
            last += [(part.section, shown), (part.section, of_times(part))]
            continue
        is_introduction = part.name.startswith(BEFORE) or not (part.section or part.label)
        changed |= bool(shown) and not is_introduction
        is_given = key in given and (is_introduction or part.name.startswith(PROGRAM))
        early = part.name.startswith(WHOLE) or not changed or is_given
        (before if early else after).append((part.section, shown))
        after.append((part.section, of_times(part)))
    return title, in_columns(before), [*in_columns(after), *if_time(in_columns(last))]


def if_time(columns):
    """Return columns of slides below a slide that lists them; none without slides."""
    titles = [Block("list", f"- {column[0].title}") for column in columns if column]
    return [[Slide("If there is time", titles, kind="title")], *columns] if titles else []


def in_columns(pairs):
    """Return columns of slides from pairs of a section and some of its slides."""
    columns, section = [[]], ""
    for of_section, shown in pairs:
        if not shown:
            continue
        if of_section != section:
            section = of_section
            columns.append([] if shown[0].title.startswith(section) else headed(section, shown))
        columns[-1] += shown
    return columns


def headed(title, shown, notes=""):
    """Return the slide of a title, with the question that would be the next slide."""
    asked = shown.pop(0) if shown and shown[0].title == "Question" else Slide("")
    return [Slide(title, asked.blocks, f"{notes}\n\n{asked.notes}".strip(), kind="title")]


def of_part(part):
    """Return the slides of a part without its times; none for those that only the lesson shows."""
    if is_left_out(part):
        return []
    if asked := lesson.questions(part):
        return [slide for question in asked for slide in of_question(question)]
    kinds = {block.kind for block in part.blocks}
    limits = part.name.startswith("What limits it now")
    if not (part.name.startswith(SHOWN) or limits or kinds & {*VISUAL}):
        return []
    whole = part.name.startswith(WHOLE)
    shown = [b if whole else shortened(b) for b in part.blocks if b.kind != "folded"]
    first, *others = paging.pages(shown)
    # a slide of nothing but first sentences adds little: the notes have them
    others = [page for page in others if {block.kind for block in page} & {*VISUAL, "list"}]
    return titled(part.name, [first, *others], notes(part.blocks))


def is_left_out(part):
    """Return whether only the lesson shows a part."""
    return part.name.startswith(NOT_SHOWN) or part.heading.startswith(NOT_SHOWN)


def of_times(part):
    """Return the slides of the folded times of a part."""
    if is_left_out(part) or lesson.questions(part):
        return []
    found = []
    for block in part.blocks:
        if block.kind != "folded" or not block.info.startswith(MEASURED):
            continue
        inner = lesson.blocks(block.text)
        shown = inner[:1] + [b for b in inner if b.kind in ("table", "picture")]
        found += titled("We measured", paging.pages(shown), notes(inner))
    return found


def of_question(question):
    """Return the slides of a question, with its answer in the notes."""
    name = f"{question.part.name} {question.number}".strip()
    answer = PICTURE.sub("", "\n\n".join(map(source, question.answer)))
    shown = [block for block in question.asked if block.kind != "folded"]
    return titled(name, paging.pages(shown), f"**Answer.** {answer.strip()}")


def titled(title, pages, notes):
    """Return slides with a title, numbered if there are several; the first has the notes."""
    count = len(pages)
    if count > 1 and len(title) > 40:  # one line has room for about 50 letters
        title = title.partition(": ")[2].capitalize() or title
    found = [
        Slide(title if count == 1 else f"{title} ({number} of {count})", blocks)
        for number, blocks in enumerate(pages, 1)
    ]
    if found:
        found[0].notes = notes
    return found


def shortened(block):
    """Return a block for a slide: the first sentences of a paragraph, all of others."""
    if block.kind != "paragraph":
        return block
    return Block("paragraph", paging.lead(block.text))


def notes(blocks):
    """Return the whole text of a part, without what the slide shows anyway."""
    return "\n\n".join(block.text for block in blocks if block.kind in ("paragraph", "list"))


def source(block):
    """Return the Markdown of a block."""
    if block.kind == "code":
        return f"```{block.info}\n{block.text}\n```"
    return block.text


class Writer:
    """Turns Markdown into HTML, and copies the pictures that it shows.

    Parameters
    ----------
    output : Path
        The folder of the decks.
    """

    def __init__(self, output):
        self.output = output
        self.reader = MarkdownIt("commonmark", {"html": True, "highlight": colour})
        self.reader.enable("table")

    def page(self, title, columns):
        """Return the HTML of a deck."""
        shown = "\n".join(
            "<section>\n" + "\n".join(self.slide(slide) for slide in column) + "\n</section>"
            for column in columns
            if column
        )
        template = (Path(__file__).parent / "deck.html").read_text(encoding="utf-8")
        return template.replace("TITLE", html.escape(plain_title(title))).replace("SLIDES", shown)

    def slide(self, slide):
        """Return the section of a slide."""
        level = "h1" if slide.kind == "title" else "h2"
        title = self.reader.renderInline(slide.title)
        body = "\n".join(self.block(block) for block in slide.blocks)
        text = self.html(slide.notes)
        aside = f'<aside class="notes">\n{text}</aside>\n' if slide.notes else ""
        shown = f'<div class="slide">\n<{level}>{title}</{level}>\n{body}\n</div>'
        return f'<section class="{slide.kind}">\n{shown}\n{aside}</section>'

    def block(self, block):
        """Return the HTML of a block on a slide; its length chooses the font."""
        shown = self.html(source(block))
        if block.kind == "code":
            return f'<div class="code{paging.code_width(block.text)}">{shown}</div>'
        if block.kind == "table":
            return f'<div class="table{paging.table_width(block.text)}">{shown}</div>'
        return f'<div class="{block.kind}">{shown}</div>'

    def html(self, text):
        """Return the HTML of Markdown, without links to files of the checkout."""
        return self.reader.render(lesson.LINK.sub(kept, text))

    def with_pictures(self, columns, folder):
        """Copy the pictures of the slides, and let the slides show these copies."""
        for slide in (slide for column in columns for slide in column):
            for block in slide.blocks:
                if block.kind == "picture":
                    block.text = self.with_copies(block.text, folder)
                    if slide.kind != "title" and len(slide.blocks) > 1 and self.is_tall(block):
                        slide.kind = "beside"
        return columns

    def is_tall(self, block):
        """Return whether a picture has room for text at its side."""
        file = self.output / PICTURE.search(block.text)[2]
        if file.suffix == ".svg":
            box = re.search('viewBox="([^"]*)"', file.read_text(encoding="utf-8"))[1].split()
            width, height = float(box[2]), float(box[3])
        else:
            with Image.open(file) as image:
                width, height = image.size
        return width < 1.7 * height

    def with_copies(self, text, folder):
        """Copy the pictures of a text, and return the text with these copies."""
        return PICTURE.sub(lambda found: self.picture(found, folder), text)

    def picture(self, found, folder):
        """Copy a picture, an SVG in its light scheme only; return its Markdown."""
        file = (folder / found[2]).resolve()
        name = file.relative_to(ROOT).as_posix().replace("/", "_")
        copy = self.output / "pictures" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".svg":
            text = file.read_text(encoding="utf-8")
            copy.write_text(DARK.sub("max-width: 0px", text), encoding="utf-8")
        else:
            copy.write_bytes(file.read_bytes())
        return f"![{found[1]}](pictures/{name})"


def kept(link):
    """Return a link to another site as it is, and the words of any other link."""
    return link[0] if re.search(r"\]\(https?:", link[0]) else link[1]


def colour(code, language, attributes):
    """Return code with its words in colours."""
    lexer = get_lexer_by_name(language or "text")
    return highlight(code, lexer, HtmlFormatter(nowrap=True))


def plain_title(title):
    """Return a title without marks of Markdown."""
    return re.sub("[*`]", "", title)
