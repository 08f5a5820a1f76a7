"""The command line imports only the command that it runs, and lists all with their sentence."""

import subprocess
import sys

import pytest

from polymask import cli
from polymask.cli.group import WHOLE

TABLE = cli.polymask_command.table


def test_each_entry_has_the_first_sentence_of_its_command():
    for name, (_, sentence) in TABLE.items():
        command = cli.polymask_command.get_command(None, name)
        assert (command.name, command.get_short_help_str(WHOLE)) == (name, sentence)


@pytest.mark.parametrize(
    ("command", "module", "unneeded"),
    [
        ("--help", [], {"numpy", "rich"}),
        ("list", ["ladder.cli.show"], {"numba", "pyopencl", "rich.syntax"}),
    ],
)
def test_modules_that_a_command_does_not_need_are_not_imported(command, module, unneeded):
    code = f"import sys; from polymask.cli import main; main(['{command}']); print(*sys.modules)"
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    modules = output.splitlines()[-1].split()
    assert unneeded.isdisjoint(modules)
    commands = {module for module, _ in TABLE.values()}
    assert sorted(commands.intersection(modules)) == module
