"""The task file of VS Code, which checks an exercise and recognises the lines of its messages."""

import json
import re
import sys

from cases import folded

from ladder.workshop.student import folder


def test_the_task_file_is_written_once(workshop):
    file = workshop.folder / folder.TASKS
    (task,) = json.loads(file.read_text())["tasks"]
    assert task["group"] == {"kind": "test", "isDefault": True}
    assert task["command"] == sys.executable
    assert task["args"] == ["-m", "polymask", "workshop", "check"]
    file.write_text("mine")
    assert workshop("start")[0] == 0
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
    (task,) = json.loads((tmp_path / folder.TASKS).read_text())["tasks"]
    patterns = [matcher["pattern"]["regexp"] for matcher in task["problemMatcher"]]
    matches = [match for match in (re.search(pattern, line) for pattern in patterns) if match]
    assert len(matches) == (groups is not None)
    if matches:
        assert set(groups) <= set(matches[0].groups())
