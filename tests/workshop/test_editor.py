"""Checks for editors: the outcome as JSON, and the task file of VS Code."""

import json
import re

import numpy as np
import pytest
from cases import folded

from ladder.workshop import exercises
from ladder.workshop.student import check as checking
from ladder.workshop.student import editor, error_places, folder, pictures, progress

SPEED = {"seconds": {"yours": 1e-3, "before": 12e-3}, "times_before": 12.0, "tries": 1}


@pytest.fixture
def json_of(workshop, monkeypatch):
    """Check `vectorize`, with an invented outcome, and return the exit code and the JSON."""

    def run(*options, note="", **outcome):
        def check(exercise, where, *, before_speed, force):
            if outcome.get("speed"):
                before_speed()
            return checking.Outcome(**{"passed": False} | outcome, note=note)

        monkeypatch.setattr(checking, "check", check)
        monkeypatch.setattr(
            "sys.stdin.isatty", lambda: True, raising=False
        )  # but there is no prompt
        code, output = workshop("check", "vectorize", "--json", *options)
        return code, json.loads(output)

    return run


def test_json_is_the_only_output(json_of, workshop):
    workshop.solve()
    code, outcome = json_of("--predict", "8", passed=True, correct=True, speed=SPEED, note="seen")
    assert (code, outcome.pop("seconds") >= 0) == (0, True)
    assert outcome == {
        "exercise": "vectorize",
        "file": str(workshop.answer),
        "verdict": "passed",
        "message": "",
        "note": "seen",
        "places": [],
        "pixels": None,
        "speed": SPEED,
        "prediction": 8,
    }
    assert progress.load(workshop.folder)["vectorize"].state == progress.PASSED


@folded(
    ("outcome", "verdict"),
    [
        ({"message": "vectorized.py, line 9: not written yet: x"}, "not written"),
        ({"message": "a single thread works"}, "not written"),  # of the starter
        ({"passed": True, "correct": True, "untimed": "busy", "speed": SPEED}, "right"),
        ({"message": "no device", "unchecked": True}, "not checked"),
    ],
)
def test_a_verdict_is_a_word(json_of, outcome, verdict):
    code, result = json_of(**outcome)
    assert (code, result["verdict"]) == (1 - outcome.get("passed", False), verdict)
    assert result["message"] == outcome.get("message", outcome.get("untimed"))


def test_wrong_pixels_have_their_polygon(json_of, workshop):
    workshop.answer.write_text("mine\n")
    expected = np.zeros((3, 5), np.uint8)
    got = expected.copy()
    got[1, 2], got[2, 4] = 1, 7
    wrong = pictures.WrongMask(got, expected, [[0.5, 1.0], [2.0, 1.0], [0.0, 1e300]])
    code, outcome = json_of(message="2 of 15 pixels are wrong", wrong=wrong)
    assert (code, outcome["verdict"]) == (1, "failed")
    assert outcome["pixels"] == {
        "shape": [3, 5],
        "vertices": wrong.vertices,
        "count": 2,
        "first": [
            {"row": 1, "column": 2, "expected": 0, "got": 1},
            {"row": 2, "column": 4, "expected": 0, "got": 7},
        ],
    }


def test_an_invalid_prediction_is_an_error_instead_of_a_prompt(workshop, monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    workshop.answer.write_text('"""prediction: many"""\n')
    code, output = workshop("check", "vectorize", "--json")
    assert (code, "single number" in output) == (2, True)


@folded(
    ("name", "message", "place"),
    [
        (
            "type",
            "the answer does not build:\n---\ncdef double x = = 1\n---\n\n"
            "typed.pyx:1:16: Expected an identifier\n... and 2 more errors",
            ("typed.pyx", 1, 17, "Expected an identifier"),
        ),
        (
            "kernel",
            "the device's compiler rejects it:\nmask.cl:11:7: error: expected ';'\n"
            "mask.cl:2:3: note: to match this '{'",
            ("mask.cl", 11, 7, "error: expected ';'"),
        ),
        (
            "kernel",
            "the kernel does not compile:\nerror: mask.cl:11:7: expected ';'",
            ("mask.cl", 11, 7, "expected ';'"),
        ),
        (
            "vectorize",
            "vectorized.py, line 2: ZeroDivisionError: division by zero",
            ("vectorized.py", 2, None, "ZeroDivisionError: division by zero"),
        ),
        ("vectorize", "a box: 9 of 12 pixels are wrong", None),
        ("vectorize", "tuples.py, line 2: ValueError", None),
    ],
)
def test_the_places_of_errors_are_numbers(tmp_path, name, message, place):
    places = error_places.of(message, exercises.get(name), tmp_path)
    expected = []
    if place is not None:
        file, line, column, text = place
        expected = [{"file": str(tmp_path / file), "line": line, "column": column, "message": text}]
    assert places == expected


def test_the_task_file_is_written_once(workshop):
    file = workshop.folder / editor.FILE
    (task,) = json.loads(file.read_text())["tasks"]
    assert task["group"] == {"kind": "test", "isDefault": True}
    assert task["args"] == ["-m", "polymask", "workshop", "check"]
    file.write_text("mine")
    assert workshop("start", "--only", "0")[0] == 0
    assert file.read_text() == "mine"


@folded(
    ("line", "groups"),
    [
        ("typed.pyx:1:16: Expected an identifier", ("typed.pyx", "1", "16")),
        ("mask.cl:11:7: error: expected ';'", ("mask.cl", "11", "7", "error")),
        ("error: mask.cl:11:7: expected ';'", ("mask.cl", "11", "7", "error", "expected ';'")),
        ("p.cpp:2:9: warning: unused variable", ("p.cpp", "2", "9", "warning")),
        ("mask.cl:2:3: note: to match this '{'", None),
        ("NOT YET vectorized.py, line 2: ZeroDivisionError", ("vectorized.py", "2")),
        ("NOT YET a box: 9 of 12 pixels are wrong", None),
    ],
)
def test_the_task_recognises_the_lines_of_a_check(tmp_path, line, groups):
    folder.start(tmp_path, [])
    (task,) = json.loads((tmp_path / editor.FILE).read_text())["tasks"]
    patterns = [matcher["pattern"]["regexp"] for matcher in task["problemMatcher"]]
    matches = [match for match in (re.search(pattern, line) for pattern in patterns) if match]
    assert len(matches) == (groups is not None)
    if matches:
        assert set(groups) <= set(matches[0].groups())
