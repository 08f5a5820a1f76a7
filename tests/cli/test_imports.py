"""The command line imports the one command that it runs, and says the same of all of them."""

import subprocess
import sys

from polymask import cli
from polymask.cli.group import WHOLE


def test_each_entry_says_the_first_sentence_of_its_command():
    for name, entry in cli.COMMANDS.items():
        command = cli.polymask_command.get_command(None, name)
        assert (command.name, command.get_short_help_str(WHOLE)) == (name, entry.help)


def test_help_imports_no_command_and_no_numpy():
    code = "import sys; from polymask.cli import main; main(['--help']); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = run.stdout.splitlines()[-1].split()
    assert {"numpy", "rich"}.isdisjoint(loaded)
    modules = {entry.module for entry in cli.COMMANDS.values()}
    assert modules.isdisjoint(loaded)
