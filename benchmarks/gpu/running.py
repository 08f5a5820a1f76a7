"""Runs a stage: its output goes to the log, and it ends when its time is over."""

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass

from benchmarks.gpu import summary

GRACE_S = 10  # after Ctrl-C, which lets pytest and bench write down what they have
MOST_BYTES = 2**21  # of a stage's output; the middle of a longer one is left out
LATE = "out of time"


@dataclass
class Outcome:
    """The result of a stage; `failed` tells whether anything went wrong."""

    name: str
    text: str
    seconds: float = 0.0
    failed: bool = False
    tests: summary.Tests | None = None


def run(stage, log, seconds, environment):
    """Run a stage for at most `seconds`; return its `Outcome`."""
    began = time.monotonic()
    code = 0
    with log.open("ab") as file:
        file.write(f"\n=== {stage.name}\n".encode())
        file.flush()
        start = file.tell()
        for command in stage.commands:
            file.write(f"$ {' '.join(command)}\n".encode())
            file.flush()
            code = call(command, file, seconds - (time.monotonic() - began), environment)
            if code != 0:
                break
    shorten(log, start)
    taken = time.monotonic() - began
    tests = summary.read(stage.junit) if stage.junit else None
    text = LATE if code is None else f"exit code {code}" if code else "ok"
    if tests:
        late = f", {LATE}" if code is None else ""
        # 1 says that tests failed, which are counted
        other = f", {text}" if code not in (None, 0, 1) else ""
        text = tests.line() + late + other
    elif stage.junit:
        text += ", no results of tests"
    failed = code != 0 or (stage.junit is not None and not tests)
    return Outcome(stage.name, text, taken, failed, tests)


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
        output.write(f"{error}\n".encode())
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


def shorten(log, start):
    """Leave the middle out of what a stage has written, if it is long."""
    content = log.read_bytes()
    before, output = content[:start], content[start:]
    if len(output) > MOST_BYTES:
        half = MOST_BYTES // 2
        log.write_bytes(before + output[:half] + b"\n... (left out)\n" + output[-half:])
