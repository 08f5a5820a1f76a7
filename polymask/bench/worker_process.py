"""Starts `worker.py` for a tree, and asks it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).with_name("worker.py")
END_S = 10.0  # a process that has no more requests may clear up for so long
LAST_LINES = 3  # of what a process said before it ended


class Missing(Exception):
    """A tree has not got the rung, or cannot run it here."""


class Failed(Exception):
    """A rung raised an error, or its process ended."""


class AnsweringProcess:
    """A program of Python's that answers JSON lines by JSON lines; a context, which ends it."""

    def __init__(self, *command):
        self.said = tempfile.TemporaryFile()  # noqa: SIM115, closed below
        self.process = subprocess.Popen(
            [sys.executable, *command],
            env={"OMP_WAIT_POLICY": "passive", **os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.said,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is ours
        )

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        with contextlib.suppress(OSError):  # of a pipe whose reader is gone
            self.process.stdin.close()
        try:
            self.process.wait(END_S if kind is None else 0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.said.close()

    def runs(self):
        """Return whether the process has not ended."""
        return self.process.poll() is None

    def ask(self, name, *arguments):
        """Return the answer to a request, a method of the program's and its arguments.

        Where there is none, `Missing` or `Failed` is raised.
        """
        self._tell([name, *arguments])
        line = self.process.stdout.readline()
        if not line.endswith("\n"):
            raise Failed(self._end())
        answer = json.loads(line)
        if "missing" in answer:
            raise Missing(answer["missing"])
        if "raised" in answer:
            raise Failed(f"raised {answer['raised']}")
        return answer["value"]

    def _tell(self, what):
        try:
            print(json.dumps(what), file=self.process.stdin, flush=True)
        except OSError:  # it has ended
            raise Failed(self._end()) from None

    def _end(self):
        """Say how the process ended."""
        code = self.process.wait()
        how = f"with code {code}"
        if code < 0:
            with contextlib.suppress(ValueError):  # a signal that this Python has no name for
                how = f"by {signal.Signals(-code).name}"
        self.said.seek(0)
        lines = self.said.read().decode(errors="replace").strip().splitlines()[-LAST_LINES:]
        return f"ended {how}" + (f": {' / '.join(lines)}" if lines else "")


class WorkerProcess(AnsweringProcess):
    """A process that measures the rungs of a `revisions.Tree`: `worker.Worker` answers.

    Python's own preparations of a process are left out (``-S``): the environment may say where
    `polymask` is, as an editable install does, and the tree shall say it.
    """

    def __init__(self, tree, vertices, shape):
        super().__init__("-I", "-S", str(PROGRAM))
        self.tree = tree
        job = {
            "tree": str(tree.root),
            "packages": tree.packages,
            "path": [place for place in sys.path if place],
            "vertices": [list(map(float, vertex)) for vertex in vertices],
            "shape": list(shape),
        }
        with contextlib.suppress(Failed):  # the first request will say so
            self._tell(job)
