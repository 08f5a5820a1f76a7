"""A process for one contender: its own peak of memory, and no threads of other libraries.

The program reads requests from standard input, one JSON line each, and answers each with a line.
The first one, "begin", names a module, and makes its `Worker`; the others are its methods.
"""

import json
import os
import re
import sys
import threading
from pathlib import Path

from benchmarks.against.worker import answer
from benchmarks.answering_process import AnsweringProcess, Failed
from ladder.common import checkout

START = "from ladder.common import checkout; checkout.load('benchmarks.harness.process').main()"
STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
PEAK = "5"  # resets the peak to the present use


class Process(AnsweringProcess):
    """A process with the `Worker` of a module; it is killed if an answer outlasts the patience."""

    def __init__(self, patience, module, *arguments):
        super().__init__("-c", START)
        self.patience, self.first = patience, ["begin", module, *arguments]

    def ask(self, name, *arguments):
        """Return the answer to a request; raise `Missing` or `Failed` if there is none."""
        timer = threading.Timer(self.patience, self.process.kill)
        timer.start()
        try:
            if self.first:
                first, self.first = self.first, None
                super().ask(*first)
            return super().ask(name, *arguments)
        except Failed:
            if not timer.is_alive():
                raise Failed(f"takes more than the {self.patience:g} s of --patience") from None
            raise
        finally:
            timer.cancel()


class Beginning:
    """What answers the first request: it makes the worker."""

    worker = None

    def begin(self, module, *arguments):
        """Make the `Worker` of a module of the checkout."""
        self.worker = checkout.load(module).Worker(*arguments)


def reset_peak():
    """Reset the process's peak of memory, and return its present bytes, or None if unknown."""
    try:
        CLEAR.write_text(PEAK, encoding="ascii")
    except OSError:  # not Linux, or not allowed: `peak` covers the whole process
        return peak()
    return status_bytes("VmRSS")


def peak():
    """Return the peak of memory in bytes, since `reset_peak` if that is possible, or None."""
    if (nbytes := status_bytes("VmHWM")) is not None:
        return nbytes
    try:
        import resource
    except ImportError:  # Windows
        return None
    maximum = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return maximum if sys.platform == "darwin" else maximum * 1024


def status_bytes(name):
    """Return a field of Linux's status of the process, in bytes; None on other systems."""
    try:
        match = re.search(rf"^{name}:\s*(\d+) kB", STATUS.read_text(encoding="ascii"), re.M)
    except OSError:
        return None
    return int(match[1]) * 1024 if match else None


def main():
    """Answer requests until the end of the input."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keep the prints of libraries out of the answers
    beginning = Beginning()
    for line in sys.stdin:
        reply = answer(beginning.worker or beginning, json.loads(line))
        print(json.dumps(reply), file=answers, flush=True)


if __name__ == "__main__":
    main()
