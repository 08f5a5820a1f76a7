"""A Python process that answers requests, of which each is a call of a function in it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile

END_S = 10.0  # the time in which a process must end after its last request
LAST_LINES = 3  # of the stderr of a process that ended


class Missing(Exception):
    """The error for a function that is not installed, or cannot run here."""


class Failed(Exception):
    """The error for a function that raised an error, or whose process ended."""


class AnsweringProcess:
    """A Python process that answers JSON lines with JSON lines; leaving its context ends it."""

    def __init__(self, *command):
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115, closed below
        self.process = subprocess.Popen(
            [sys.executable, *command],
            env={"OMP_WAIT_POLICY": "passive", **os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            encoding="utf-8",
            start_new_session=True,  # so that Ctrl-C reaches this process only
        )

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        with contextlib.suppress(OSError):  # raised by a pipe without a reader
            self.process.stdin.close()
        try:
            self.process.wait(END_S if kind is None else 0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.stderr.close()

    def runs(self):
        """Return whether the process is running."""
        return self.process.poll() is None

    def ask(self, name, *arguments):
        """Return the answer to a request: a method of the program and its arguments.

        Raises `Missing` or `Failed` if the answer has no value.
        """
        self.tell([name, *arguments])
        line = self.process.stdout.readline()
        if not line.endswith("\n"):
            raise Failed(self._end())
        answer = json.loads(line)
        if "missing" in answer:
            raise Missing(answer["missing"])
        if "raised" in answer:
            raise Failed(f"raised {answer['raised']}")
        return answer["value"]

    def tell(self, request):
        """Send a request."""
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
        except OSError:  # the process has ended
            raise Failed(self._end()) from None

    def _end(self):
        """Describe how the process ended."""
        code = self.process.wait()
        ending = f"with code {code}"
        if code < 0:
            with contextlib.suppress(ValueError):  # for a signal without a name in Python
                ending = f"by {signal.Signals(-code).name}"
        self.stderr.seek(0)
        lines = self.stderr.read().decode(errors="replace").strip().splitlines()[-LAST_LINES:]
        return f"ended {ending}" + (f": {' / '.join(lines)}" if lines else "")
