"""Every error is one line; --debug shows its traceback."""

import click
from cases import folded

from ladder.cli import edits
from polymask import cli
from polymask.cli.group import DEBUG
from polymask.common.errors import StaleModule
from polymask.files import polygon_files


def all_commands(group, names=()):
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        yield (*names, name), command
        if isinstance(command, click.Group):
            yield from all_commands(command, (*names, name))


def test_every_command_has_the_option():
    commands = dict(all_commands(cli.polymask_command))
    assert len(commands) > 20
    assert [names for names, command in commands.items() if command.params.count(DEBUG) != 1] == []
    assert cli.polymask_command.params.count(DEBUG) == 1


def test_debug_shows_a_traceback(polymask):
    bad = ("run", "cclass.polygon", "--set", "threads=1")
    for arguments in (("--debug", *bad), (*bad, "--debug")):
        code, out, err = polymask(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith("Traceback (most recent call last):\n")
        assert err.splitlines()[-1].startswith(
            "polymask: cclass.polygon has no option 'threads'; it takes none"
        )
    code, _, err = polymask(*bad)
    assert code == 2
    assert "Traceback" not in err


@folded(
    ("error", "code", "message"),
    [
        (KeyError("a\nb"), 3, "a defect of polymask; please report the output with --debug: KeyE"),
        (RecursionError("deep"), 3, "a defect of polymask; please report the output with --debug:"),
        (MemoryError("9 TiB"), 2, "out of memory: 9 TiB"),
        (ValueError("so"), 2, "so"),
        (StaleModule("it is older than its source"), 1, "it is older than its source"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_every_exception_is_one_line(polymask, monkeypatch, tmp_path, error, code, message):
    def fail(_):
        raise error

    (tmp_path / "a.csv").write_text("")
    monkeypatch.setattr(polygon_files, "read_polygon", fail)
    monkeypatch.setattr(edits, "edited_files", list)
    exit_code, out, err = polymask("run", "cclass.polygon", "--polygon", "a.csv")
    assert (exit_code, out) == (code, "")
    assert err.lstrip().startswith(f"polymask: {message}")  # click starts a new line after ^C
    assert err.strip().count("\n") == 0
