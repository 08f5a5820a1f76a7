"""Ctrl-C while a command starts, and while `run` or `profile` computes in compiled code."""

import signal
import subprocess
import sys

import pytest
from fresh_python import run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a process is not ended by signals")

# A rung that receives Ctrl-C while it computes, and goes on as compiled code would.
PROGRAM = """
import signal, sys
from polymask import cli
from ladder.registry import reference
from ladder.registry.rung import Rung

def make_mask(vertices, shape, **options):
    if shape[0] > 2:
        signal.raise_signal(signal.SIGINT)
        print("it went on")
    return reference.mask(vertices, shape)

Rung.load = lambda rung: make_mask
sys.exit(cli.main(sys.argv[1:]))
"""


def run_interrupted(*arguments):
    """Run a command whose rung receives Ctrl-C; return the exit code, the output and the errors."""
    command = [sys.executable, "-c", PROGRAM, *arguments, "--size", "16"]
    completed = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return completed.returncode, completed.stdout, completed.stderr


# Ctrl-C arrives while a module is imported.
STARTING = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
sys.argv[1:] = ["list"]
from polymask.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["polymask.cli", "ladder.cli.show"])
def test_a_command_that_is_still_starting_is_interrupted_in_a_line(module):
    completed = run("-c", STARTING.format(module=module))
    assert (completed.returncode, completed.stdout) == (130, "")
    assert completed.stderr.strip() == "polymask: interrupted"


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("command", ["run", "profile"])
def test_compiled_code_ends_with_the_process(command):
    assert run_interrupted(command, "cclass.polygon") == (-signal.SIGINT, "", "")


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("command", ["run", "profile"])
def test_python_code_is_interrupted_as_usual(command):
    code, output, errors = run_interrupted(command, "python.tuples")
    assert (code, output, errors.strip()) == (130, "", "polymask: interrupted")
