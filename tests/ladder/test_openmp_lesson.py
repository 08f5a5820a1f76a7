"""Lesson 4: its program with a fork prints the output shown."""

import re
import sys
import textwrap

import documents
import pytest
from checkouts import ROOT
from every_rung import load
from fresh_python import run

from ladder import registry

FOLDER = ROOT / "4_openmp"
TEXT = documents.lesson(FOLDER)
BLOCKS = re.findall(
    r"```sh\n( *python - <<'END'\n.*?END\n) *```\n\n *```text\n(.*?) *```", TEXT, re.S
)


@pytest.fixture
def forked():
    """The lesson's program without its shell command, and its output."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the program forks and reads /proc")
    _, error = load(registry.get("openmp.prange"))
    if error:
        pytest.skip(str(error))
    ((shell, expected),) = BLOCKS
    lines = textwrap.dedent(shell).splitlines()
    assert (lines[0], lines[-1]) == ("python - <<'END'", "END")
    return "\n".join(lines[1:-1]), textwrap.dedent(expected)


def test_the_program_prints_the_output_shown(forked):
    program, expected = forked
    assert program.count("signal.alarm(5)") == 1
    program = program.replace("signal.alarm(5)", "signal.alarm(120)")  # a slow machine
    done = run("-W", "ignore::DeprecationWarning", "-c", program, OMP_NUM_THREADS="2")
    assert (done.returncode, done.stdout) == (0, expected), done.stderr
