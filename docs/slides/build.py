"""Builds the slides and the answer key: `make slides`, or python docs/slides/build.py.

The slides come from the lessons, and nothing is loaded from the network. Open index.html in a
browser; the key S opens the speaker's view. Needs sphinx-revealjs, which brings reveal.js.
Arguments are the names of the class's exercises, with commas or spaces between them; without
them, the slides have every lesson.
"""

import importlib.util
import shutil
import sys
from pathlib import Path

import answers
import lesson
import paging
from deck import ROOT, Writer, headed, notes, shortened, slides, titled
from lesson import Block

from ladder.workshop import exercises

HERE = Path(__file__).parent
REVEAL = ("dist/reset.css", "dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js", "LICENSE")
OPENING = {  # a page, and the names of its parts on the slides of the opening
    "README.md": ("", "The ladder"),
    "WORKSHOP.md": ("For students", "Predict before you measure", "Progress", "The check"),
}
LEFT_OUT = ("html", "folded")
COMMANDS = """polymask workshop         # shows the next exercise, checks each save
polymask workshop check   # the exercise of this folder, once"""


def main(course=(), output="build/slides"):
    """Write a deck for the opening and for each lesson, the answer key, and a page of links.

    `course` has the class's exercises, by default all.
    """
    reveal = find_reveal()
    output = ROOT / output
    for name in REVEAL:
        (output / "reveal" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(reveal / name, output / "reveal" / name)
    shutil.copy(HERE / "style.css", output)
    links = []
    for name, folder, (title, columns), chosen in decks(course):
        links.append((f"{name}.html", title))
        write_deck(output, name, folder, title, columns, chosen)
    (output / "answers.html").write_text(answers.page(Writer(output)), encoding="utf-8")
    links.append(("answers.html", "Answers, for instructors"))
    (output / "index.html").write_text(index(links), encoding="utf-8")
    print(output / "index.html")


def find_reveal():
    """Return the folder of reveal.js in the package sphinx-revealjs."""
    package = importlib.util.find_spec("sphinx_revealjs")
    if package is None:
        sys.exit("reveal.js is missing: `make slides` installs it")
    return Path(package.submodule_search_locations[0]) / "_static/revealjs"


def decks(course=()):
    """Yield the name of each deck, the folder of its page, its title and columns, its exercises."""
    yield "opening", ROOT, opening(), []
    every = course or exercises.every()
    for folder in sorted(readme.parent for readme in ROOT.glob("[0-9]_*/README.md")):
        chosen = [exercise for exercise in every if exercise.folder.parents[1] == folder]
        if chosen or not course:
            title, before, after = slides(folder.name, chosen)
            columns = [*before, in_class(folder, chosen), *after]
            yield folder.name, folder, (title, columns), chosen


def write_deck(output, name, folder, title, columns, chosen):
    """Write a deck and its pictures; its first slide is the title."""
    minutes = f"Minutes: {answers.minutes(chosen)}." if name != "opening" else ""
    columns[0][:0] = headed(title, columns[0], minutes)
    writer = Writer(output)
    text = writer.page(title, writer.with_pictures(columns, folder))
    (output / f"{name}.html").write_text(text, encoding="utf-8")


def opening():
    """Return the title and the slides of the course's opening."""
    columns = []
    for page, names in OPENING.items():
        _, parts = lesson.parts((ROOT / page).read_text(encoding="utf-8"))
        chosen = {part.name: part for part in parts}
        columns.append([])
        for part in (chosen[name] for name in names):
            shown = [shortened(block) for block in part.blocks if block.kind not in LEFT_OUT]
            columns[-1] += titled(
                part.name or "What it is", paging.pages(shown), notes(part.blocks)
            )
    return "polymask: one mask, from Python to GPUs", columns


def in_class(folder, chosen):
    """Return the slides of a lesson's exercises; mistakes are in the notes."""
    if not chosen:
        return []
    _, parts = lesson.parts(lesson.text_of(folder.name))
    named = {part.name: part for part in parts}
    rows = [f"| `{e.directory}` | {e.title} | {e.minutes} |" for e in chosen]
    table = "\n".join(["| folder | exercise | minutes |", "|---|---|--:|", *rows])
    tasks = [Block("paragraph", answers.beginning(e)) for e in chosen]
    shown = [Block("table", table), Block("code", COMMANDS, "sh"), *tasks]
    text = answers.notes(chosen)
    if "Usual mistakes" in named:
        mistakes = "\n\n".join(block.text for block in named["Usual mistakes"].blocks)
        text += f"\n\n**Usual mistakes.**\n\n{mistakes}"
    return titled("Exercises", paging.pages(shown), text)


def index(links):
    """Return the page of links to the decks."""
    entries = "\n".join(f'<li><a href="{file}">{title}</a></li>' for file, title in links)
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Slides</title>\n'
        '<link rel="stylesheet" href="style.css">\n<body class="answers"><h1>Slides</h1>\n'
        "<p>In a deck, the keys Space and Page Up go on and back, S opens the speaker's view,\n"
        f"and ? lists all keys.</p>\n<ul>\n{entries}\n</ul></body></html>\n"
    )


if __name__ == "__main__":
    try:
        course = exercises.listed(",".join(sys.argv[1:])) if sys.argv[1:] else []
    except KeyError as error:
        sys.exit(error.args[0])
    main(course)
