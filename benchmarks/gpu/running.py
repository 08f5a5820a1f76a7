"""Runs a stage: its output goes to a file of its own, and it ends when its time is over."""

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass

GRACE_S = 10  # after Ctrl-C, which lets pytest and bench write down what they have
MOST_LINES = 20  # of failed tests
BAD = ("FAILED ", "ERROR ")  # the beginnings of pytest's lines about these


@dataclass
class Outcome:
    """The result of a stage; `failed` tells whether anything went wrong."""

    name: str
    text: str
    seconds: float = 0.0
    failed: bool = False
    tests: tuple = ()  # pytest's lines about failed tests

    def lines(self):
        """Return the lines of the summary."""
        mark = "FAIL" if self.failed else "    "
        first = f"{mark} {self.name:<10} {self.seconds:6.1f} s  {self.text}"
        return [first, *(f"     {line}" for line in self.tests)]


def run(stage, folder, seconds, environment):
    """Run a stage for at most `seconds`; return its `Outcome`."""
    began, code, log = time.monotonic(), 0, folder / f"{stage.name}.txt"
    with log.open("wb") as file:
        for command in stage.commands:
            file.write(f"$ {' '.join(command)}\n".encode())
            file.flush()
            code = call(command, file, seconds - (time.monotonic() - began), environment)
            if code != 0:
                break
    output = log.read_text(errors="replace").strip().splitlines()
    end = "out of time" if code is None else f"exit code {code}" if code else "ok"
    tests = tuple(line for line in output if line.startswith(BAD))[:MOST_LINES]
    text = f"{end}: {output[-1]}" if code != 0 or stage.tests else end
    return Outcome(stage.name, text, time.monotonic() - began, code != 0, tests)


def call(command, output, seconds, environment):
    """Run a command and its children; return its exit code, or None if its time was over."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
            start_new_session=True,
        )
    except OSError as error:
        output.write(f"{error.filename}\n".encode())
        return 127
    try:
        return process.wait(max(seconds, 0))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_S)
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):  # children that are left, too
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
