"""Ctrl-C while `polymask run` or `profile` computes: it ends also what cannot hear it."""

import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a process is not ended by signals")

# A rung that is told Ctrl-C while it computes, and would go on: compiled code hears nothing.
PROGRAM = """
import signal, sys
import numpy as np
from polymask import cli
from polymask.ladder.rung import Rung

def make_mask(vertices, shape, **options):
    if shape[0] > 2:
        signal.raise_signal(signal.SIGINT)
        print("it went on")
    return np.zeros(shape, np.uint8)

Rung.load = lambda rung: make_mask
sys.exit(cli.main(sys.argv[1:]))
"""


def interrupted(*arguments):
    """Run a command whose rung is told Ctrl-C; return the exit code, and what it printed."""
    command = [sys.executable, "-c", PROGRAM, *arguments, "--size", "16"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("command", ["run", "profile"])
@pytest.mark.parametrize("key", ["cclass.polygon", "numba.njit"])
def test_compiled_code_ends_with_the_process(command, key):
    assert interrupted(command, key) == (-signal.SIGINT, "", "")


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("command", ["run", "profile"])
def test_what_python_runs_is_interrupted_as_ever(command):
    code, said, errors = interrupted(command, "python.tuples")
    assert (code, said, errors.strip()) == (130, "", "polymask: interrupted")


def test_where_ctrl_c_is_ignored_it_stays_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        code, said, _ = interrupted("run", "cclass.polygon")
    finally:
        signal.signal(signal.SIGINT, before)
    assert code == 0
    assert said.startswith("it went on\ncclass.polygon: first call ")
