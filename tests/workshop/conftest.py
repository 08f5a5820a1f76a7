"""Fixtures that check answers with a test's own check, in a child process like any check."""

import re
import shutil
import tempfile
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from ladder.workshop import exercises
from ladder.workshop.student import check as checking
from polymask.contract import Unavailable

PATIENCE_S = 120.0  # other tests run at the same time
HEAD = """
import numpy as np
from ladder.workshop.sandbox import cases, child, compiling, device, masks, memory
from ladder.workshop.sandbox import offloading, process_stats
UNDER = {under}


def check(answer, random):
{body}
"""


@pytest.fixture
def run_check(tmp_path):
    """Check an exercise's solution followed by more lines, with a check by the test.

    `check` is the body of the check; by default it is the exercise's own. `text` replaces the main
    file, `edits` are (file, old, new) of changes, and `under` has the environments of the test's
    check. The function returns the `Outcome`.
    """

    def run(name, check=None, more="", *, text=None, edits=(), under=None, seconds=PATIENCE_S):
        exercise = exercises.get(name)
        try:
            exercise.require()
        except Unavailable as unavailable:
            pytest.skip(str(unavailable))
        root = Path(tempfile.mkdtemp(dir=tmp_path))
        folder = root / exercise.folder.relative_to(exercises.ROOT)
        shutil.copytree(exercise.folder, folder)
        if (lesson := exercise.folder.with_name("lesson.toml")).exists():
            shutil.copy(lesson, folder.parent)
        toml = (folder / "exercise.toml").read_text(encoding="utf-8")
        if check is not None:
            body = textwrap.indent(textwrap.dedent(check), "    ")
            text_of_check = HEAD.format(under=under or {}, body=body)
            (folder / "check.py").write_text(text_of_check, encoding="utf-8")
            toml = re.sub('^checks = "(both|mask)"\n', "", toml, flags=re.M)
        lines = (line for line in toml.splitlines() if not line.startswith("seconds = "))
        toml = f"seconds = {seconds}\n" + "\n".join(lines)
        (folder / "exercise.toml").write_text(toml, encoding="utf-8")
        answers = root / "answers"
        answers.mkdir()
        for file in exercise.files:
            (answers / file).write_text(exercise.solution(file), encoding="utf-8")
        main = exercise.solution(exercise.main) if text is None else text
        (answers / exercise.main).write_text(main + more, encoding="utf-8")
        for file, old, new in edits:
            before = (answers / file).read_text(encoding="utf-8")
            assert before.count(old) == 1, old
            (answers / file).write_text(before.replace(old, new), encoding="utf-8")
        return checking.check_right(exercises.read(folder), answers, root / "place", 1)[0]

    return run


@pytest.fixture
def load_answer():
    """Load the solution of `vectorize`, changed or with more lines, as a module in this process."""

    def load(more="", old="", new=""):
        text = exercises.get("vectorize").solution("vectorized.py").replace(old, new)
        names = {"__name__": "vectorized"}
        exec(f"{text}\n{more}\n", names)
        return SimpleNamespace(**names)

    return load
