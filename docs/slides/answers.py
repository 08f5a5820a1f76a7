"""The answer key: every question of lessons, tasks and WORKSHOP.md, beside its answer."""

import re

import lesson
from deck import ROOT, source

from ladder.workshop import exercises

IN_CLASS = "To discuss in class after `"  # the name of an exercise follows
ROW = re.compile(r"^\| (\w+) \| (\d) \| (\d+) \| (.*?) \| (.*?) \|$", re.M)


def guide():
    """Return the rows of WORKSHOP.md: exercise, lesson, minutes, mistakes, question."""
    return ROW.findall((ROOT / "WORKSHOP.md").read_text(encoding="utf-8"))


def discussion():
    """Return the answers to the questions for discussion, by the name of the exercise."""
    return {exercise.name: exercise.answers()[-1] for exercise in exercises.every()}


def of_lesson(folder):
    """Return the exercises of a lesson, in order."""
    return [exercise for exercise in exercises.every() if f"{exercise.rung}" == folder[0]]


def minutes(folder):
    """Return the minutes of a lesson, in words."""
    each = [f"{exercise.name} {exercise.minutes}" for exercise in of_lesson(folder)]
    total = 10 + sum(exercise.minutes for exercise in of_lesson(folder))
    return f"reading 10, {', '.join(each)}; {total} in all"


def notes(folder):
    """Return what a speaker needs for a lesson's exercises: minutes, mistakes, questions."""
    answered = discussion()
    return "\n\n".join(
        f"**{name}**, {needed} minutes. Mistakes: {mistakes}. To discuss: {asked} {answered[name]}"
        for name, number, needed, mistakes, asked in guide()
        if number == folder[0]
    )


def entries(folder):
    """Yield the title, question and answer, in Markdown, of each entry of a lesson."""
    _, parts = lesson.parts((ROOT / folder / "README.md").read_text(encoding="utf-8"))
    for question in (question for part in parts for question in lesson.questions(part)):
        part = question.part
        name = f"{part.name} {question.number}".strip()
        title = name if part.section in ("", part.name) else f"{name} ({part.section})"
        yield title, *("\n\n".join(map(source, b)) for b in (question.asked, question.answer))
    in_class = {name: asked for name, _, _, _, asked in guide()}
    for exercise in of_lesson(folder):
        *own, of_class = exercise.answers()
        for asked, answer in zip(exercise.questions(), own, strict=True):
            yield f"To think about after `{exercise.name}`", asked, answer
        yield f"{IN_CLASS}{exercise.name}`", in_class[exercise.name], of_class


def page(writer):
    """Return the HTML of the answer key."""
    found = []
    for readme in sorted(ROOT.glob("[0-9]_*/README.md")):
        folder = readme.parent.name
        title, _ = lesson.parts(readme.read_text(encoding="utf-8"))
        found.append(f"<h2>{writer.reader.renderInline(title)}</h2>")
        for name, asked, answer in entries(folder):
            texts = (writer.with_copies(text, readme.parent) for text in (asked, answer))
            sides = "\n".join(f"<div>{writer.html(text)}</div>" for text in texts)
            heading = writer.reader.renderInline(name)
            about = name.removeprefix(IN_CLASS).strip("`")
            place = f' id="{about}"' if name.startswith(IN_CLASS) else ""
            found.append(f"<article{place}><h3>{heading}</h3>\n{sides}\n</article>")
    links = " ".join(f'<a href="#{e.name}">{e.name}</a>' for e in exercises.every())
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Answers</title>\n'
        '<link rel="stylesheet" href="style.css">\n<body class="answers"><h1>Answers</h1>\n'
        f"<p>In class: {links}</p>\n" + "\n".join(found) + "\n</body></html>\n"
    )
