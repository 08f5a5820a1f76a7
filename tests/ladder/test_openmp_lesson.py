"""Lesson 4: its program with a fork prints the output shown, and hangs as described."""

import re
import sys
import textwrap

import pytest
from checkouts import ROOT
from every_rung import load
from fresh_python import run

from ladder import registry

FOLDER = ROOT / "4_openmp"
TEXT = (FOLDER / "README.md").read_text(encoding="utf-8")
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


def output(program):
    """Return the program's output with two threads in the parent, even on a slow machine."""
    assert program.count("signal.alarm(5)") == 1
    program = program.replace("signal.alarm(5)", "signal.alarm(120)")
    done = run("-W", "ignore::DeprecationWarning", "-c", program, OMP_NUM_THREADS="2")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_program_prints_the_output_shown(forked):
    program, expected = forked
    assert output(program) == expected


@pytest.mark.slow
def test_a_child_that_forgets_the_fork_waits_for_threads_that_are_not_there(forked, snapshot):
    program, _ = forked
    maps = "open('/proc/self/maps').read()"
    code = f"from ladder.openmp import prange; print('libgomp' in {maps})"
    if run("-c", code).stdout != "True\n":
        pytest.skip("an OpenMP library other than gcc's")
    (first,) = re.findall(r' *print\("threads in the child:".*\n', program)
    # The program hangs from here on, so a second is long enough.
    forgets = program.replace(first, f"    contract._forked = False\n{first}    signal.alarm(1)\n")
    assert output(forgets) == snapshot
