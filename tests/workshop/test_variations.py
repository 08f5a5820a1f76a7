"""Answers other than the solution: their form in exercise.toml, and their proof by verify."""

import dataclasses

import pytest
from cases import folded

from ladder.workshop import exercises
from ladder.workshop.author import verify
from ladder.workshop.student import check

EXERCISE = exercises.get("vectorize")
OLD = "inside ^= crosses"


def variation(name="one", **keys):
    return exercises.Variation(name, EXERCISE.main, **keys)


def only(wrong=(), honest=()):
    """Return the exercise with only these answers."""
    wrong, honest = ({each.name: each for each in answers} for answers in (wrong, honest))
    return dataclasses.replace(EXERCISE, wrong=wrong, honest=honest)


def test_an_exercise_gives_answers_by_an_exchange_or_by_whole_texts(tmp_path):
    folder = tmp_path / "0_python" / "exercises" / "vectorize"
    folder.mkdir(parents=True)
    text = (EXERCISE.folder / "exercise.toml").read_text()
    variation_toml = """
[honest."a module beside it"]
old = 'inside ^= crosses'
new = 'inside = other.toggled(inside, crosses)'
[honest."a module beside it".files]
"other.py" = '''
def toggled(inside, crosses):
    return inside ^ crosses
'''
"""
    (folder / "exercise.toml").write_text(text + variation_toml)
    honest = exercises.read(folder).honest["a module beside it"]
    assert (honest.name, honest.file) == ("a module beside it", "vectorized.py")
    texts = verify.varied(EXERCISE, honest)
    assert sorted(texts) == ["other.py", "vectorized.py"]
    assert texts["other.py"].startswith("def toggled")
    assert "other.toggled(inside, crosses)" in texts["vectorized.py"]


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"old": "no such text"}, "replaces 'no such text', which vectorized.py has 0 times"),
        ({"old": OLD, "new": OLD}, "replaces a text with itself"),
        ({}, "replaces a text with itself"),
        ({"files": {EXERCISE.main: EXERCISE.solution(EXERCISE.main)}}, "one is the solution"),
    ],
)
def test_an_answer_identical_to_the_solution_is_a_fault(keys, fault):
    assert any(fault in line for line in verify.on_paper(only(wrong=[variation(**keys)])))
    assert any(fault in line for line in verify.on_paper(only(honest=[variation(**keys)])))


@pytest.mark.parametrize(
    ("changed", "fault"), [({"number": 1}, "number 1"), ({"checks": "both"}, "check.py is missing")]
)
def test_values_that_a_list_or_a_check_cannot_show_are_faults(changed, fault):
    assert verify.on_paper(EXERCISE) == []
    (message,) = verify.on_paper(dataclasses.replace(EXERCISE, **changed))
    assert fault in message


RIGHT = check.Outcome(True, correct=True, note="slower: it is spread over the image")
FALSE = check.Outcome(False, "all zeros")
SLOW = check.Outcome(False, "the answers are right, but too slow", correct=True)
UNTIMED = check.Outcome(True, correct=True, untimed="machine busy")


@folded(
    ("kind", "outcome", "says", "fault"),
    [
        ("wrong", FALSE, "", None),
        ("wrong", FALSE, "zeros", None),
        ("wrong", FALSE, "exchanged", "does not help, and must contain 'exchanged': 'all zeros'"),
        ("wrong", check.Outcome(False), "", "does not help"),
        ("wrong", check.Outcome(False, "Traceback (most recent call last)"), "", "does not help"),
        ("wrong", RIGHT, "", "the wrong answer one passes"),
        ("wrong", UNTIMED, "", "one is not judged: machine busy"),
        ("honest", RIGHT, "", None),
        ("honest", RIGHT, "slower: it is spread", None),
        ("honest", RIGHT, "faster", "the note for one lacks 'faster'"),
        ("honest", UNTIMED, "", None),
        ("honest", FALSE, "", "the honest answer one fails: all zeros"),
        ("honest", SLOW, "", "the honest answer one fails: the answers are right, but too slow"),
    ],
)
def test_verify_proves_wrong_and_honest_answers(monkeypatch, kind, outcome, says, fault):
    answer = variation(old=OLD, new="inside[crosses] ^= True", says=says, files={"a.py": "a"})
    exercise, folders = only(**{kind: [answer]}), []
    monkeypatch.setattr(verify, "on_paper", lambda exercise: [])

    def fake_check(exercise, where, **keywords):
        folder = where / exercise.directory
        folders.append(sorted(file.name for file in folder.iterdir()))
        text = (folder / exercise.main).read_text(encoding="utf-8")
        if "NotImplementedError" in text:
            return check.Outcome(False, exercise.starter_says)
        return RIGHT if OLD in text else outcome

    monkeypatch.setattr(check, "check", fake_check)
    faults = verify.verify(exercise)
    assert ["a.py", "vectorized.py"] in folders
    assert folders[:2] == [["vectorized.py"]] * 2  # starter, solution
    if fault is None:
        assert faults == []
    else:
        assert len(faults) == 1
        assert fault in faults[0]
