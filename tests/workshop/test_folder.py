"""The student's folder: commands write and show its files, and never lose any."""

import errno
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cases import folded, says

from ladder.workshop import exercises
from ladder.workshop.student import check as checking
from ladder.workshop.student import folder, progress
from polymask import cli


def test_start_writes_task_and_starter_and_nothing_else(workshop):
    names = {p.relative_to(workshop.folder).as_posix() for p in workshop.folder.rglob("*")}
    assert names == {
        "results.json",
        ".vscode",
        ".vscode/tasks.json",
        "0_2_vectorize",
        "0_2_vectorize/task.md",
        "0_2_vectorize/vectorized.py",
        "1_2_type",
        "1_2_type/task.md",
        "1_2_type/typed.pyx",
    }


def test_start_never_overwrites(workshop):
    workshop.answer.write_text("mine\n")
    progress.note(workshop.folder, "vectorize", state=progress.PASSED)
    code, output = workshop("start", workshop.folder)
    assert code == 0
    new = len(exercises.every()) - 2
    assert f"{new} exercises written, 2 existed" in output
    assert workshop.answer.read_text() == "mine\n"
    assert progress.load(workshop.folder)["vectorize"].passed


def test_start_suggests_a_remedy_if_it_cannot_write(workshop):
    (workshop.folder / "a_file").write_text("mine")
    code, output = workshop("start", workshop.folder / "a_file")
    assert code == 2
    assert output.startswith(f"polymask: cannot write {workshop.folder / 'a_file'}: ")
    assert says(output, "choose", "folders")
    assert output.count("\n") == 1


def test_a_file_in_the_place_of_the_build_folder(workshop):
    (workshop.folder / "build").write_text("mine\n")
    code, output = workshop("check", "vectorize")
    assert code == 2
    *_, last = output.splitlines()
    assert last.startswith(f"polymask: cannot write {workshop.folder / 'build' / 'vectorize'}: ")
    assert (workshop.folder / "build").read_text() == "mine\n"


@pytest.mark.parametrize("command", ["start", "reset"])
def test_a_file_in_the_place_of_an_exercise(workshop, command):
    place = workshop.folder / exercises.get("profile").directory
    place.write_text("mine\n")
    code, output = workshop(command, *([] if command == "start" else ["profile"]))
    assert code == 2
    assert output.startswith(f"polymask: cannot write {place}: ")
    assert place.read_text() == "mine\n"


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
    link = workshop.answer.with_name("vectorized.py.1")
    link.symlink_to(tmp_path / "nowhere")
    code, output = workshop("reset", "vectorize")
    copy = workshop.answer.with_name("vectorized.py.2")
    assert (code, f"kept your file as {copy}\n" in output) == (0, True)
    assert copy.read_text() == mine.read_text() == "mine\n"
    assert "prediction: ?" in workshop.answer.read_text()


def test_a_full_disk_leaves_no_half_starter(workshop, tmp_path, monkeypatch):
    def fail(path, *arguments, **keywords):
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    workshop.answer.write_text("mine\n")
    monkeypatch.setattr(Path, "write_text", fail)
    monkeypatch.setattr(Path, "write_bytes", fail)
    code, output = workshop("reset", "vectorize")
    assert (code, "no space left on its disk" in output) == (2, True)
    assert workshop.answer.read_text() == "mine\n"
    with pytest.raises(OSError, match="no space left"):
        folder.start(tmp_path / "new", [exercises.get("vectorize")])
    assert [p for p in (tmp_path / "new").rglob("*") if p.is_file()] == []


def test_a_read_only_folder_is_named_with_a_remedy(workshop, monkeypatch):
    def fail(path, *arguments, **keywords):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    for name in "write_text", "write_bytes", "unlink":  # which fails though there is no file
        monkeypatch.setattr(Path, name, fail)
    for command in "reset", "hint":
        code, output = workshop(command, "vectorize")
        *_, last = output.splitlines()
        assert code == 2
        assert last.startswith("polymask: this folder is read-only: choose one of your folders")
        assert "`polymask workshop start ~/workshop`" in last


def test_hints_come_one_by_one(workshop):
    hints = exercises.get("vectorize").hints()
    for number in range(1, len(hints) + 1):
        _, output = workshop("hint", "vectorize")
        assert f"hint {number} of {len(hints)}" in output
        assert hints[number - 1] in output
        assert sum(hint in output for hint in hints) == 1
        output = workshop("hint", "vectorize", "--all")[1]
        assert [hint in output for hint in hints] == [at < number for at in range(len(hints))]
    assert "the last hint" in workshop("hint", "vectorize")[1]


def test_the_solution_is_shown_after_passing_or_giving_up(workshop):
    code, output = workshop("solution", "vectorize")
    assert (code, "not passed" in output) == (1, True)
    code, output = workshop("solution", "vectorize", "--give-up")
    assert (code, "+        inside ^= crosses" in output) == (0, True)


def test_an_unknown_name_suggests_the_nearest(workshop):
    code, output = workshop("check", "vectorise")
    assert code == 2
    assert says(output, "mean", "'vectorize'")


def test_without_a_workshop_start_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["workshop", "list"]) == 1
    assert "workshop start" in capsys.readouterr().err


@folded(
    ("content", "reason"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b"", "not JSON"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b"[]", "it must be an object"),
        (b'{"exercises": []}', "it has no format, machine"),
        (
            b'{"format": "polymask workshop 1", "machine": {}, "exercises": {}}',
            "format must be one of polymask workshop 2, got 'polymask workshop 1'",
        ),
        *(
            (
                b'{"format": "polymask workshop 2", "machine": {}, "exercises": {"type": %b}}'
                % line,
                f"exercises.type{key} must be ",
            )
            for line, key in (
                (b"5", ""),
                (b'{"state": "perhaps"}', ".state"),
                (b'{"speed_up": NaN}', ".speed_up"),
                (b'{"predicted": 1e-320}', ".predicted"),
                (b'{"hints": -5}', ".hints"),
            )
        ),
    ],
)
def test_results_that_cannot_be_read_are_refused_and_stay(workshop, content, reason):
    """An unreadable file may contain all results: no command overwrites it with a new file."""
    file = workshop.folder / "results.json"
    file.write_bytes(content)
    for command in "list", "check", "hint":
        code, output = workshop(command, "vectorize") if command == "hint" else workshop(command)
        assert code == 2
        *_, last = output.splitlines()
        assert last.startswith(f"polymask: cannot read {file}: ")
        assert reason in last
        assert last.endswith("run `polymask workshop start` for a new one")
    with pytest.raises(ValueError, match="cannot read"):
        progress.note(workshop.folder, "type", hints=1)
    assert file.read_bytes() == content


def test_progress_is_read_as_it_was_written(tmp_path):
    results = {
        "a": progress.Result(
            state=progress.PASSED, speed_up=12.3, predicted=1234.5678, hints=2, checks=7
        ),
        "b": progress.Result(),
    }
    progress.save(tmp_path, results)
    assert progress.load(tmp_path) == results
    result = progress.note(tmp_path, "b", speed_up=1e-9, predicted=2e9)
    assert (result.speed_up, result.predicted) == progress.SPEEDUPS
    assert progress.load(tmp_path)["b"] == result


def test_commands_at_once_lose_no_progress(tmp_path, monkeypatch):
    """Each read is followed by a pause, in which another command could interfere."""
    pytest.importorskip("fcntl")
    read = progress.contents
    monkeypatch.setattr(progress, "contents", lambda folder: (read(folder), time.sleep(0.02))[0])
    progress.save(tmp_path, {})
    names = [f"exercise{number}" for number in range(8)]
    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(lambda name: progress.note(tmp_path, name, hints=1), names))
    assert sorted(progress.load(tmp_path)) == names


def test_within_a_workshop_its_folder_is_the_default(workshop, monkeypatch):
    monkeypatch.chdir(workshop.answer.parent)
    assert "existed" in workshop("start")[1]
    assert not (workshop.answer.parent / "workshop").exists()
    assert "starter is restored" in workshop("reset")[1]
    monkeypatch.chdir(workshop.folder)
    assert "0_0_start: the starter is restored" in workshop("reset")[1]  # the next open one


@pytest.mark.slow
def test_a_checkout_is_not_written_to(workshop, root):
    """A check writes into the workshop's folder only."""
    if not (root / ".git").exists():
        pytest.skip("not in a git checkout")
    command = ["git", "status", "--porcelain", "--ignored", "0_python", "ladder/workshop", "csrc"]
    os.environ.pop("PYTHONPYCACHEPREFIX", None)
    before = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    workshop.solve()
    assert checking.check(exercises.get("vectorize"), workshop.folder).passed
    after = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    assert after == before
