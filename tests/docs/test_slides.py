"""The slides and the answer key: complete, and nothing for the speaker alone on a slide."""

import importlib.util
import re
import sys
from itertools import chain

import chromium
import pytest
from checkouts import ROOT

SLIDES = ROOT / "docs/slides"
LESSONS = sorted(ROOT.glob("[0-9]_*/README.md"))
ASKED = re.compile(r"<summary>(What to expect|The predictions)")
# The lowest and the rightmost pixel of a slide's contents, and the height of its lowest picture.
EXTENT = """Reveal.getSlides().map(slide => {
    const {h, v} = Reveal.getIndices(slide);
    Reveal.slide(h, v);
    const boxes = [...slide.querySelectorAll(".slide *")].map(e => e.getBoundingClientRect());
    const images = [...slide.querySelectorAll("img")];
    return [
        slide.innerText.slice(0, 50),
        Math.max(...boxes.map(box => box.bottom)),
        Math.max(...boxes.map(box => box.right)),
        Math.min(...images.map(image => image.naturalWidth && image.height), 720),
    ];
})"""


@pytest.fixture(scope="module")
def build():
    """Return the module that builds the slides."""
    spec = importlib.util.spec_from_file_location("slides_build", SLIDES / "build.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(SLIDES))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SLIDES))
    return module


@pytest.fixture(scope="module")
def decks(build):
    """Return the name of each deck, and its slides."""
    return {name: [*chain(*columns)] for name, _, (_, columns), _ in build.decks()}


@pytest.mark.parametrize("page", LESSONS, ids=lambda page: page.parent.name)
def test_every_question_of_a_lesson_has_its_answer_in_the_key(build, page):
    text = build.lesson.text_of(page.parent.name)
    of_exercises = build.answers.of_lesson(page.parent.name)
    questions = [question for exercise in of_exercises for question in exercise.questions()]
    entries = list(build.answers.entries(page.parent.name))
    assert len(entries) == len(ASKED.findall(text)) + len(questions)
    for title, asked, answer in entries:
        assert asked, title
        assert answer, title


def test_the_slides_of_a_class_begin_with_what_its_exercises_need(build):
    *_, (_, _, _, chosen) = found = [*build.decks(build.exercises.listed("rows,vectorize"))]
    decks = {name: [*chain(*columns)] for name, _, (_, columns), _ in found}
    assert list(decks) == ["opening", "0_python", "9_scanline"]
    titles = " ".join(slide.title for slide in decks["0_python"])
    order = re.findall(r"python\.\w+|program|Exercises", titles)[:5]
    assert order == ["python.tuples", "program", "program", "python.vectorized", "Exercises"]
    last = decks["9_scanline"][6]
    rows = re.findall(r"^\| `(\w+)` .* (\d+) \|$", last.blocks[0].text, re.M)
    assert (last.title, rows) == ("Exercises", [("9_1_rows", "30")])
    assert "how many times as fast as python.vectorized" in last.blocks[-1].text
    assert build.answers.minutes(chosen) == "reading 10, rows 30; 40 in all"
    assert re.findall(r"\*\*(\w+)\*\*, ", build.answers.notes(chosen)) == ["rows"]


def test_a_slide_has_at_most_fifteen_lines_of_code(decks):
    assert len(decks) == 1 + len(LESSONS)
    for name, slides in decks.items():
        code = [b.text for slide in slides for b in slide.blocks if b.kind == "code"]
        assert max((text.count("\n") + 1 for text in code), default=0) <= 15, name


def test_answers_and_mistakes_are_in_the_notes_alone(build, decks, tmp_path):
    writer = build.Writer(tmp_path)
    for name in (page.parent.name for page in LESSONS):
        for slide in decks[name]:
            shown, _, notes = writer.slide(slide).partition("<aside")
            assert "What to expect" not in shown
            if slide.title.startswith("Try") and not re.search(r"\(([2-9]) of", slide.title):
                assert "<strong>Answer.</strong>" in notes, (name, slide.title)
        last = [slide for slide in decks[name] if slide.title.startswith("Exercises")]
        shown = "".join(writer.slide(slide).partition("<aside")[0] for slide in last)
        notes = "".join(writer.slide(slide).partition("<aside")[2] for slide in last)
        for exercise in build.answers.of_lesson(name):
            assert exercise.directory in shown
            assert f"{exercise.minutes} minutes. Mistakes:" in notes
            assert "Mistakes:" not in shown


@pytest.mark.weekly
@pytest.mark.skipif(not chromium.find(), reason="needs Chromium")
@pytest.mark.skipif(not importlib.util.find_spec("sphinx_revealjs"), reason="no sphinx-revealjs")
def test_slides_fit_on_a_screen_and_need_no_network(build, tmp_path):
    build.main(output=tmp_path)
    with chromium.Browser() as browser:
        for page in sorted(tmp_path.glob("*.html")):
            browser.open(page.as_uri(), width=1280, height=720)
            if not browser.evaluate("'Reveal' in window"):
                continue
            browser.wait_for("Reveal.isReady() && [...document.images].every(i => i.complete)")
            for title, bottom, right, picture in browser.evaluate(EXTENT):
                assert bottom <= 700, (page.name, title)  # the number of the slide is below
                assert right <= 1240, (page.name, title)
                assert picture >= 300, (page.name, title)
        assert not browser.complaints
        assert all(address.startswith("file:") for address in browser.requests)
