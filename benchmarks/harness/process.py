"""A process for one contender: its own peak of memory, and no threads of other libraries.

The program's argument, as JSON, names a module, and has the arguments of its `Worker`. Each line of
standard input is a request for a method of this worker, and is answered with a line.
"""

import json
import re
import sys
import threading
from pathlib import Path

from benchmarks.against.worker import serve
from benchmarks.answering_process import AnsweringProcess, Failed
from ladder.common import checkout

START = "from ladder.common import checkout; checkout.load('benchmarks.harness.process').main()"
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
PEAK = "5"  # resets the peak to the present use


class Process(AnsweringProcess):
    """A process with the `Worker` of a module; it is killed if an answer outlasts the patience."""

    def __init__(self, patience, module, *arguments):
        super().__init__("-c", START, json.dumps([module, *arguments]))
        self.patience = patience

    def ask(self, name, *arguments):
        """Return the answer to a request; raise `Missing` or `Failed` if there is none."""
        timer = threading.Timer(self.patience, self.process.kill)
        timer.start()
        try:
            return super().ask(name, *arguments)
        except Failed:
            if not timer.is_alive():
                raise Failed(f"takes more than the {self.patience:g} s of --patience") from None
            raise
        finally:
            timer.cancel()


def reset_peak():
    """Reset the process's peak of memory, and return its present bytes, or None if unknown."""
    try:
        CLEAR.write_text(PEAK, encoding="ascii")
    except OSError:  # not Linux, or not allowed
        return None
    return status_bytes("VmRSS")


def peak():
    """Return the peak of memory in bytes since the last `reset_peak`, or None if unknown."""
    return status_bytes("VmHWM")


def status_bytes(name):
    """Return a field of Linux's status of the process, in bytes; None on other systems."""
    try:
        match = re.search(rf"^{name}:\s*(\d+) kB", STATUS.read_text(encoding="ascii"), re.M)
    except OSError:
        return None
    return int(match[1]) * 1024 if match else None


def main():
    """Answer requests until the end of the input."""
    module, *arguments = json.loads(sys.argv[1])
    serve(lambda: checkout.load(module).Worker(*arguments))
