"""The answer key: every question of lessons and tasks, beside its answer."""

import re

import lesson
import paging
from deck import ROOT, source

from ladder.workshop import exercises

AFTER = "To think about after `"  # the name of an exercise follows
ROW = re.compile(r"^\| (\w+) \| (\d) \| (\d+) \| (.*?) \|$", re.M)

PREDICTION = re.compile(r"^\W*How (many times .*\?)\n\W*prediction: \?$", re.M)  # in a starter


def guide():
    """Return the rows of docs/exercises.md: exercise, lesson, minutes, mistakes."""
    return ROW.findall((ROOT / "docs/exercises.md").read_text(encoding="utf-8"))


def of_lesson(folder):
    """Return the exercises of a lesson, in order."""
    return [e for e in exercises.every() if e.folder.parents[1].name == folder]


def minutes(chosen):
    """Return the minutes of a lesson with some exercises, in words."""
    each = [f"{exercise.name} {exercise.minutes}" for exercise in chosen]
    total = 10 + sum(exercise.minutes for exercise in chosen)
    return f"{', '.join(['reading 10', *each])}; {total} in all"


def beginning(exercise):
    """Return a paragraph for a slide: the subject of an exercise, and its first question."""
    task = (exercise.folder / "task.md").read_text(encoding="utf-8")
    subject = next(part for part in lesson.parts(task)[1] if part.name == "What you will learn")
    starters = "\n".join(map(exercise.starter, exercise.regions))
    asked = [f"**Write your prediction first:** how {q}" for q in PREDICTION.findall(starters)]
    return " ".join([f"**{exercise.name}.**", paging.lead(subject.blocks[0].text), *asked])


def notes(chosen):
    """Return what a speaker needs for some exercises: minutes, mistakes, the last question."""
    mistakes = {name: text for name, *_, text in guide()}
    return "\n\n".join(
        f"**{e.name}**, {e.minutes} minutes. Mistakes: {mistakes[e.name]}. "
        f"To discuss: {e.questions()[-1]} {e.answers()[-1]}"
        for e in chosen
    )


def entries(folder):
    """Yield the title, question and answer, in Markdown, of each entry of a lesson."""
    _, parts = lesson.parts(lesson.text_of(folder))
    for question in (question for part in parts for question in lesson.questions(part)):
        part = question.part
        name = f"{part.name} {question.number}".strip()
        title = name if part.section in ("", part.name) else f"{name} ({part.section})"
        yield title, *("\n\n".join(map(source, b)) for b in (question.asked, question.answer))
    for exercise in of_lesson(folder):
        for asked, answer in zip(exercise.questions(), exercise.answers(), strict=True):
            yield f"{AFTER}{exercise.name}`", asked, answer


def page(writer):
    """Return the HTML of the answer key."""
    found, links, previous = [], [], None
    for readme in sorted(ROOT.glob("[0-9]_*/README.md")):
        folder = readme.parent.name
        title, _ = lesson.parts(lesson.text_of(folder))
        found.append(f'<h2 id="{folder}">{writer.reader.renderInline(title)}</h2>')
        of_folder = " ".join(f'<a href="#{e.name}">{e.name}</a>' for e in of_lesson(folder))
        links.append(f'<li><a href="#{folder}">Lesson {folder[0]}</a>: {of_folder}</li>')
        for name, asked, answer in entries(folder):
            texts = (writer.with_copies(text, readme.parent) for text in (asked, answer))
            sides = "\n".join(f"<div>{writer.html(text)}</div>" for text in texts)
            heading = writer.reader.renderInline(name)
            about = name.removeprefix(AFTER).strip("`")
            place = f' id="{about}"' if name.startswith(AFTER) and about != previous else ""
            previous = about
            found.append(f"<article{place}><h3>{heading}</h3>\n{sides}\n</article>")
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Answers</title>\n'
        '<link rel="stylesheet" href="style.css">\n<body class="answers"><h1>Answers</h1>\n'
        f"<ul>{''.join(links)}</ul>\n" + "\n".join(found) + "\n</body></html>\n"
    )
