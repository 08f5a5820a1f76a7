"""The student's folder: what commands write there, show of it, and never lose."""

import errno
import os
import subprocess
from pathlib import Path

import pytest

from polymask import cli
from polymask.workshop import exercises
from polymask.workshop.student import check as checking
from polymask.workshop.student import folder, progress


def test_start_writes_task_and_starter_and_nothing_else(workshop):
    names = {p.relative_to(workshop.where).as_posix() for p in workshop.where.rglob("*")}
    assert names == {
        "progress.txt",
        "0_2_vectorize",
        "0_2_vectorize/task.md",
        "0_2_vectorize/vectorized.py",
        "1_2_type",
        "1_2_type/task.md",
        "1_2_type/typed.pyx",
    }


def test_start_never_overwrites(workshop):
    workshop.answer.write_text("mine\n")
    progress.note(workshop.where, "vectorize", state=progress.PASSED)
    code, said = workshop("start", workshop.where, "--only", "0")
    assert code == 0
    assert "1 exercises written, 1 were there" in said  # profile is new
    assert workshop.answer.read_text() == "mine\n"
    assert progress.load(workshop.where)["vectorize"].passed


def test_start_names_a_way_out_where_it_cannot_write(workshop):
    (workshop.where / "a_file").write_text("mine")
    code, said = workshop("start", workshop.where / "a_file")
    assert code == 2
    assert said.startswith(f"polymask: cannot write {workshop.where / 'a_file'}: ")
    assert "name a folder of yours" in said
    assert said.count("\n") == 1


@pytest.fixture
def read_only(workshop, monkeypatch):
    """Let the workshop lie on a disk that is read-only.

    Permissions of a folder would not bind root, as whom the tests may run: functions of the system
    are exchanged, and refuse what such a disk does.
    """

    def refuse(path):
        if Path(path).resolve().is_relative_to(workshop.where):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    def opening(path, mode="r", *more, **options):
        if set(mode) & set("wax+"):
            refuse(path)
        return opened(path, mode, *more, **options)

    def making(path, *more, **options):
        if not os.path.exists(path):
            refuse(path)
        return made(path, *more, **options)

    opened, made = open, os.mkdir
    monkeypatch.setattr("builtins.open", opening)
    monkeypatch.setattr("io.open", opening)  # which pathlib calls
    monkeypatch.setattr(os, "mkdir", making)
    return workshop


@pytest.mark.parametrize("command", ["start", "check", "hint", "reset", "watch"])
def test_a_folder_that_cannot_be_written_to_is_one_line(read_only, monkeypatch, command):
    monkeypatch.chdir(read_only.answer.parent)
    code, said = read_only(command)
    assert code == 2
    *_, last = said.splitlines()  # the one on standard error
    assert last.startswith("polymask: cannot write ")
    assert str(read_only.where) in last
    assert "Read-only file system" in last
    assert said.count("polymask: ") == 1


@pytest.mark.parametrize("command", ["list", "solution vectorize --give-up"])
def test_what_writes_nothing_does_not_mind(read_only, command):
    code, said = read_only(*command.split())
    assert code == 0
    assert "cannot write" not in said


def test_a_file_stands_where_the_check_builds(workshop):
    (workshop.where / "build").write_text("mine\n")
    code, said = workshop("check", "vectorize")
    assert code == 2
    *_, last = said.splitlines()
    assert last.startswith(f"polymask: cannot write {workshop.where / 'build' / 'vectorize'}: ")
    assert (workshop.where / "build").read_text() == "mine\n"


def test_reset_keeps_a_copy(workshop):
    workshop.answer.write_text("mine\n")
    for number in (1, 2):
        workshop.answer.write_text(f"mine {number}\n")
        assert workshop("reset", "vectorize")[0] == 0
        copy = workshop.answer.parent / f"vectorized.py.{number}"
        assert copy.read_text() == f"mine {number}\n"
    assert "prediction: ?" in workshop.answer.read_text()


def test_a_full_disk_leaves_no_half_starter(workshop, tmp_path, monkeypatch):
    def fail(path, *arguments, **keywords):
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    workshop.answer.write_text("mine\n")
    monkeypatch.setattr(Path, "write_text", fail)
    monkeypatch.setattr(Path, "write_bytes", fail)
    code, said = workshop("reset", "vectorize")
    assert (code, "no space left on its disk" in said) == (2, True)
    assert workshop.answer.read_text() == "mine\n"
    with pytest.raises(OSError, match="no space left"):
        folder.start(tmp_path / "new", [exercises.get("vectorize")])
    assert [p for p in (tmp_path / "new").rglob("*") if p.is_file()] == []


def test_hints_come_one_by_one(workshop):
    hints = exercises.get("vectorize").hints()
    for number in range(1, len(hints) + 1):
        _, said = workshop("hint", "vectorize")
        assert f"hint {number} of {len(hints)}" in said
        assert hints[number - 1] in said
        assert number == len(hints) or hints[number] not in said
    assert "no more" in workshop("hint", "vectorize")[1]


def test_the_solution_is_shown_after_passing_or_giving_up(workshop):
    code, said = workshop("solution", "vectorize")
    assert (code, "not passed" in said) == (1, True)
    code, said = workshop("solution", "vectorize", "--give-up")
    assert (code, "+        inside ^= crosses" in said) == (0, True)


def test_a_name_that_is_none_names_the_nearest(workshop):
    code, said = workshop("check", "vectorise")
    assert code == 2
    assert "did you mean 'vectorize'" in said


def test_without_a_workshop_start_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["workshop", "list"]) == 1
    assert "workshop start" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "vectorize perhaps",
        "vectorize passed nan - 1 1",
        "vectorize passed 2.5 inf 1 1",
        "vectorize passed -2.5 - 1 1",
        "vectorize passed 2.5 - -5 1",
        "vectorize passed 2.5 - 1 99999999999999999999",
    ],
)
def test_a_progress_file_that_was_mended_badly(workshop, line):
    (workshop.where / "progress.txt").write_text(f"{line}\n")
    code, said = workshop("list")
    assert code == 2
    assert "line 1, is no line of a workshop's progress: mend it, or delete it" in said


def test_files_that_were_overwritten(workshop):
    (workshop.where / "progress.txt").write_bytes(b"\xff\xfe")
    code, said = workshop("list")
    assert code == 2
    assert said.endswith("progress.txt is no text in UTF-8: mend it, or delete it\n")
    (workshop.where / "progress.txt").write_text("")
    for content in ("[" * 100_000, "[1", '{"exercises": {"vectorize": {"shown": "x"}}}', "[]"):
        (workshop.where / "results.json").write_text(content)
        assert workshop("list")[0] == 0


def test_progress_is_read_as_it_was_written(tmp_path):
    lines = {
        "a": progress.Line(progress.PASSED, 12.3, 50, 2, 7),
        "b": progress.Line(),
        "c": progress.Line(progress.RIGHT, None, progress.NONE, 0, 1),
    }
    progress.save(tmp_path, lines)
    assert progress.load(tmp_path) == lines


def test_within_a_workshop_its_folder_is_meant(workshop, monkeypatch):
    monkeypatch.chdir(workshop.answer.parent)
    assert "were there" in workshop("start", "--only", "0")[1]
    assert not (workshop.answer.parent / "workshop").exists()
    assert "starter is back" in workshop("reset")[1]
    monkeypatch.chdir(workshop.where)
    assert "name an exercise" in workshop("reset")[1]


def test_a_checkout_is_not_written_to(workshop, root):
    """A check writes into the workshop's folder only."""
    if not (root / ".git").exists():
        pytest.skip("not in a git checkout")
    command = ["git", "status", "--porcelain", "--ignored", "0_python", "polymask/workshop", "csrc"]
    os.environ.pop("PYTHONPYCACHEPREFIX", None)
    before = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    workshop.solve()
    assert checking.check(exercises.get("vectorize"), workshop.where).passed
    after = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert after == before
