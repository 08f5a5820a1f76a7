"""`watch` in a terminal: the keys, and the terminal's settings afterwards."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

import pytest

from ladder.cli import keys
from ladder.workshop.student import check as checking
from ladder.workshop.student import progress

PATIENCE_S = 60.0  # other tests run at the same time
WATCH = ["-m", "polymask", "workshop", "watch"]
READ_KEYS = """
from ladder.cli import keys
with keys.unbuffered():
    print(flush=True)
    while keys.read(60.0) != keys.END:
        pass
"""


class Terminal:
    """A pseudo-terminal with a Python program in its foreground."""

    def __init__(self, arguments, where):
        self.master, self.slave = pty.openpty()  # the slave stays open, with its settings
        self.before, self.text = termios.tcgetattr(self.slave), ""
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=where,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
        )

    def read_until(self, words):
        """Return the output up to these words, which are still to come."""
        while words not in self.text:
            ready, _, _ = select.select([self.master], [], [], PATIENCE_S)
            assert ready, f"no {words!r} in {self.text!r}"
            self.text += os.read(self.master, 2**16).decode(errors="replace")
        before, _, self.text = self.text.partition(words)
        return before

    def press(self, key, after="q quit"):
        """Send a key to the process, once it waits for keys."""
        self.read_until(after)
        self.wait_for_keys()
        os.write(self.master, key)

    def wait_for_keys(self):
        """Wait until the process reads keys, some microseconds after its output."""
        end = time.monotonic() + PATIENCE_S
        while termios.tcgetattr(self.slave)[3] & termios.ICANON:
            assert self.process.poll() is None
            assert time.monotonic() < end

    def is_restored(self):
        """Return whether the process has left the settings as they were."""
        return termios.tcgetattr(self.slave) == self.before

    def close(self):
        """End the process and the terminal."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def start():
    """Start a Python program in a pseudo-terminal."""
    terminals = []

    def run(arguments, where):
        terminals.append(Terminal(arguments, where))
        return terminals[-1]

    yield run
    for terminal in terminals:
        terminal.close()


@pytest.mark.slow
def test_keys_call_the_other_commands(start, workshop):
    terminal = start(WATCH, workshop.folder)
    terminal.press(b"h")
    assert "not written yet" not in terminal.read_until("vectorize, hint 1 of")
    terminal.press(b"l")
    assert "0_2_vectorize" in terminal.read_until("exercises passed")
    terminal.press(b"s")
    terminal.read_until("has not passed yet")
    workshop.answer.write_text("mine\n")  # a save, which is checked
    terminal.read_until("NOT YET")
    terminal.press(b"r")
    terminal.read_until("[y/N]")
    os.write(terminal.master, b"y\n")
    terminal.read_until("the starter is restored")
    assert "prediction: ?" in workshop.answer.read_text()
    terminal.press(b"n")
    terminal.read_until("polymask workshop check type")
    terminal.press(b"h")
    terminal.read_until("type, hint 1 of")
    terminal.press(b"q")
    assert terminal.process.wait(PATIENCE_S) == 0
    assert terminal.is_restored()
    assert progress.load(workshop.folder)["vectorize"].checks == 2


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (lambda terminal: os.kill(terminal.process.pid, signal.SIGTERM), 143),
        (lambda terminal: os.write(terminal.master, b"\x03"), -signal.SIGINT),  # Ctrl-C
        (lambda terminal: os.write(terminal.master, b"\x04"), 0),  # Ctrl-D
    ],
)
def test_the_terminal_is_restored_whatever_ends_it(start, tmp_path, end, code):
    terminal = start(["-c", READ_KEYS], tmp_path)
    terminal.press(b"x", after="\n")
    assert not terminal.is_restored()
    end(terminal)
    assert terminal.process.wait(PATIENCE_S) == code
    assert terminal.is_restored()


def test_keys_are_read_again_after_a_pause(start, tmp_path):
    """Like Ctrl-Z and `fg`: the shell restores its own settings meanwhile."""
    terminal = start(["-c", READ_KEYS], tmp_path)
    terminal.press(b"x", after="\n")
    os.kill(terminal.process.pid, signal.SIGSTOP)
    os.waitpid(terminal.process.pid, os.WUNTRACED)
    termios.tcsetattr(terminal.slave, termios.TCSANOW, terminal.before)
    os.kill(terminal.process.pid, signal.SIGCONT)
    terminal.wait_for_keys()
    os.write(terminal.master, b"\x04")
    assert terminal.process.wait(PATIENCE_S) == 0
    assert terminal.is_restored()


def test_the_terminal_is_restored_after_an_exception(monkeypatch):
    master, slave = pty.openpty()
    before, handler = termios.tcgetattr(slave), signal.getsignal(signal.SIGTERM)
    with open(slave) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with contextlib.suppress(ZeroDivisionError), keys.unbuffered():
            assert termios.tcgetattr(slave) != before
            os.write(master, b"\x1b[A")  # an arrow key
            assert keys.read(PATIENCE_S) == "\x1b"
            assert keys.read(0.0) == ""  # no further keys
            raise ZeroDivisionError
        assert termios.tcgetattr(slave) == before
    assert signal.getsignal(signal.SIGTERM) == handler
    os.close(master)


def test_without_a_terminal_it_ends_when_the_exercise_passes(workshop, monkeypatch):
    outcomes = [checking.Outcome(False), checking.Outcome(True, correct=True)]

    def check(exercise, where, **keywords):
        workshop.answer.write_text(f"{len(outcomes)} left\n")  # a save during the check
        return outcomes.pop(0)

    monkeypatch.setattr(checking, "check", check)
    code, output = workshop("watch", "vectorize")
    assert (code, outcomes) == (0, [])
    assert output.index("Ctrl-C ends it") < output.index("PASSED")
    assert "keys:" not in output
