"""The student's folder: what commands write there, show of it, and never lose."""

import errno
import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cases import folded, says

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
    assert "1 exercise written, 1 existed" in said  # profile is new
    assert workshop.answer.read_text() == "mine\n"
    assert progress.load(workshop.where)["vectorize"].passed


def test_start_names_a_way_out_where_it_cannot_write(workshop):
    (workshop.where / "a_file").write_text("mine")
    code, said = workshop("start", workshop.where / "a_file")
    assert code == 2
    assert said.startswith(f"polymask: cannot write {workshop.where / 'a_file'}: ")
    assert says(said, "name", "folders")
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


@pytest.mark.parametrize("command", ["start", "check", "reset"])
def test_a_file_stands_where_an_exercise_goes(workshop, command):
    place = workshop.where / exercises.get("profile").directory
    place.write_text("mine\n")
    code, said = workshop(command, *(["--only", "0"] if command == "start" else ["profile"]))
    assert code == 2
    assert said.startswith(f"polymask: {place} is a file, not a folder: move or rename it, ")
    assert said.count("\n") == 1
    assert place.read_text() == "mine\n"
    place.rename(workshop.where / "else")
    assert workshop("start", "--only", "0")[0] == 0
    assert (place / "task.md").is_file()


def test_a_folder_stands_where_progress_goes(workshop):
    file = workshop.where / "progress.txt"
    file.unlink()
    file.mkdir()
    code, said = workshop("start", workshop.where, "--only", "0")
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith(f"polymask: {file} is not a file: move or rename it, ")


def test_reset_keeps_a_copy(workshop):
    workshop.answer.write_text("mine\n")
    for number in (1, 2):
        workshop.answer.write_text(f"mine {number}\n")
        assert workshop("reset", "vectorize")[0] == 0
        copy = workshop.answer.parent / f"vectorized.py.{number}"
        assert copy.read_text() == f"mine {number}\n"
    assert "prediction: ?" in workshop.answer.read_text()


def test_reset_loses_no_answer_that_a_link_leads_to(workshop, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("mine\n")
    workshop.answer.unlink()
    workshop.answer.symlink_to(mine)
    gone = workshop.answer.with_name("vectorized.py.1")
    gone.symlink_to(tmp_path / "nowhere")
    code, said = workshop("reset", "vectorize")
    kept = workshop.answer.with_name("vectorized.py.2")
    assert (code, f"kept your file as {kept}\n" in said) == (0, True)
    assert kept.read_text() == mine.read_text() == "mine\n"
    assert "prediction: ?" in workshop.answer.read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("command", ["reset vectorize", "solution vectorize --give-up"])
def test_a_pipe_in_the_place_of_an_answer_is_refused(workshop, monkeypatch, command):
    def reading(path, *how, **keywords):
        assert not path.is_fifo(), "to read it would never end"
        return read(path, *how, **keywords)

    read = Path.read_text
    workshop.answer.unlink()
    os.mkfifo(workshop.answer)
    monkeypatch.setattr(Path, "read_text", reading)
    code, said = workshop(*command.split())
    assert code == 2
    assert said.startswith(f"polymask: {workshop.answer} is not a file: move or rename it, ")
    assert said.count("\n") == 1
    assert workshop.answer.is_fifo()


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
    assert "the last hint" in workshop("hint", "vectorize")[1]


def test_the_solution_is_shown_after_passing_or_giving_up(workshop):
    code, said = workshop("solution", "vectorize")
    assert (code, "not passed" in said) == (1, True)
    code, said = workshop("solution", "vectorize", "--give-up")
    assert (code, "+        inside ^= crosses" in said) == (0, True)


def test_a_name_that_is_none_names_the_nearest(workshop):
    code, said = workshop("check", "vectorise")
    assert code == 2
    assert says(said, "mean", "'vectorize'")


def test_without_a_workshop_start_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["workshop", "list"]) == 1
    assert "workshop start" in capsys.readouterr().err


@folded(
    ("content", "reason"),
    [
        *(
            (line.encode(), "line 1, is not a line of a workshop's progress: mend it, or delete it")
            for line in (
                "vectorize perhaps",
                "vectorize passed nan - 1 1",
                "vectorize passed 2.5 inf 1 1",
                "vectorize passed -2.5 - 1 1",
                "vectorize passed 1e308 1e-320 0 1",
                "vectorize passed 2.5 1e-320 0 1",
                "vectorize passed 2.5 - -5 1",
                "vectorize passed 2.5 - 1 99999999999999999999",
            )
        ),
        (
            2 * b"vectorize open - - 0 1\n",
            "line 2, is the second of 'vectorize': delete one of the",
        ),
        (b"\xff\xfe", "progress.txt is not UTF-8 text: mend it, or delete it"),
    ],
)
def test_a_progress_file_that_was_mended_badly(workshop, content, reason):
    (workshop.where / "progress.txt").write_bytes(content)
    code, said = workshop("list")
    assert code == 2
    assert reason in said


def test_a_progress_file_that_windows_saved(workshop):
    progress.note(workshop.where, "vectorize", state=progress.PASSED, best=1e-9, predicted=2e9)
    file = workshop.where / "progress.txt"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert workshop("list")[0] == 0
    line = progress.load(workshop.where)["vectorize"]
    assert (line.passed, (line.best, line.predicted)) == (True, progress.SPEEDUPS)


@folded("command", ["list", "check"])
@folded(
    ("content", "reason"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b"[1", "not JSON: line 1, column 3"),
        (b"", "not JSON"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b"[]", '"exercises"'),
        (b'{"exercises": []}', '"exercises"'),
        (
            b'{"format": "polymask workshop 2", "exercises": {}}',
            "its format is 'polymask workshop 2', and this polymask reads 'polymask workshop 1'",
        ),
        (b'{"exercises": {"vectorize": {}, "type": 5}}', '"exercises"'),
    ],
)
@pytest.mark.slow
def test_results_that_cannot_be_read_are_refused_and_stay(workshop, content, reason, command):
    """What cannot be read may hold all that was reached: no command begins a new file over it."""
    file = workshop.where / "results.json"
    file.write_bytes(content)
    code, said = workshop(command)
    assert code == 2
    *_, last = said.splitlines()
    assert last.startswith(f"polymask: cannot read {file}: ")
    assert reason in last
    assert last.endswith("mend it, or rename it, and your checks begin a new one")
    assert said.count("polymask: ") == 1
    with pytest.raises(ValueError, match="cannot read"):
        progress.note_result(workshop.where, "type", {}, {})
    assert file.read_bytes() == content


def test_a_folder_in_the_place_of_results_is_refused(workshop):
    (workshop.where / "results.json").mkdir()
    code, said = workshop("list")
    assert code == 2
    assert f"cannot read {workshop.where / 'results.json'}: Is a directory: mend it, or " in said


def test_one_result_that_was_mended_badly_costs_no_other(workshop):
    results = {"vectorize": {"shown": "x"}, "type": {"shown": 2.5}}
    (workshop.where / "results.json").write_text(json.dumps({"exercises": results}))
    assert workshop("list")[0] == 0
    assert progress.last_speedups(workshop.where) == {"type": 2.5}
    progress.note_result(workshop.where, "profile", {"shown": 3}, {})
    assert progress.results(workshop.where) == results | {"profile": {"shown": 3}}


def test_progress_is_read_as_it_was_written(tmp_path):
    lines = {
        "a": progress.Line(progress.PASSED, 12.3, 50, 2, 7),
        "b": progress.Line(),
        "c": progress.Line(progress.RIGHT, None, progress.NONE, 0, 1),
        "d": progress.Line(progress.BROKEN, 12.3, 1234.5678, 0, 1),  # to the digit
    }
    progress.save(tmp_path, lines)
    assert progress.load(tmp_path) == lines


def test_commands_at_once_lose_no_progress(tmp_path, monkeypatch):
    """A file that was read is held back for a moment, which would let another command in."""
    pytest.importorskip("fcntl")
    read = {"load": progress.load, "results": progress.results}
    for name, one in read.items():
        monkeypatch.setattr(progress, name, lambda f, one=one: (one(f), time.sleep(0.02))[0])
    progress.save(tmp_path, {})
    names = [f"exercise{number}" for number in range(8)]

    def done(name):
        progress.note(tmp_path, name, hints=1)
        progress.note_result(tmp_path, name, {"state": progress.OPEN}, {})

    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(done, names))
    assert sorted(read["load"](tmp_path)) == sorted(read["results"](tmp_path)) == names


def test_within_a_workshop_its_folder_is_meant(workshop, monkeypatch):
    monkeypatch.chdir(workshop.answer.parent)
    assert "existed" in workshop("start", "--only", "0")[1]
    assert not (workshop.answer.parent / "workshop").exists()
    assert "starter is restored" in workshop("reset")[1]
    monkeypatch.chdir(workshop.where)
    assert "name an exercise" in workshop("reset")[1]


@pytest.mark.slow
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
