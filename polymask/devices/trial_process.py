"""A process of its own to try a device in: a driver that crashes or hangs takes nothing with it.

It is run with a module and the number of a device, and answers in lines of JSON: "imported", once
that has gone well; "found", a dict for each device in their order, or "nothing", why there is none;
then "failure", why the one that was tried cannot be used, an empty text if it can.
"""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from importlib import resources

import numpy as np

from polymask.common.staleness import ROOT

# The small mask that a device has to make before it is used.
SHAPE = (24, 40)  # rows and columns
# Its edges pass through pixels: a quotient that is off in its last bit shows.
POLYGON = np.array([(0.0, 0.0), (39.0, 13.0), (19.0, 23.0), (4.0, 18.0)])
# The right mask, eight pixels a byte: devices know of no reference, which the ladder has.
RIGHT = bytes.fromhex(
    "800000000070000000007e000000007fc00000007ff80000003fff0000003fffe000003ffffc0000"
    "3fffff80001ffffff0001ffffffe001fffffffc01ffffffff81fffffffff0ffffffffc0ffffffff0"
    "0fffffffc00fffffff000ffffffc0000fffff000001fffc0000003ff000000007c00000000100000"
)


class NoDevice(LookupError):
    """There is no device to try, for a reason in one line."""


def run(module, number, seconds):
    """Let a process list all devices and try the one of this number.

    Returns what it answered, a dict, and how it ended, which is why the device fails if the answer
    says nothing of that.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", module, str(number)],
            cwd=ROOT,  # where this package is, and no file of the user's that is named like another
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
        output, failure = done.stdout, how_it_ended(done)
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
        failure = f"the driver gave no answer within {seconds:g} s"
    answer = {}
    for line in output.splitlines():
        answer |= json.loads(line)
    return answer, failure


def how_it_ended(done):
    """Say how a process ended that was to try a device; the driver's last words with it."""
    words = done.stderr.decode(errors="replace").strip().splitlines()
    last = f" ({words[-1].strip()})" if words else ""
    if done.returncode < 0:
        name = signal.strsignal(-done.returncode) or f"signal {-done.returncode}"
        return f"the driver crashed: {name}{last}"
    return f"the driver ended the process with code {done.returncode}{last}"


def main(list_devices, describe, fails):
    """Be that process: list the devices, and try that of number sys.argv[1].

    Parameters
    ----------
    list_devices : callable
        Returns what chooses a device and the device, for each in their order; raises `NoDevice`.
    describe : callable
        Returns the `Device` of one.
    fails : callable
        Returns why one cannot be used, in one line; an empty text if it can.
    """
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what drivers print is no line of ours

    def answer(**part):
        print(json.dumps(part), file=out, flush=True)

    answer(imported=True)
    try:
        devices = list_devices()
    except NoDevice as none:
        answer(nothing=str(none))
        return
    answer(found=[{"device": asdict(describe(one)), "choice": name} for name, one in devices])
    _, device = devices[int(sys.argv[1])]
    try:
        failure = fails(device)
    except Exception as error:  # whatever a driver does wrong is its failure
        failure = f"{type(error).__name__}: {first_line(error)}"
    answer(failure=failure)


def with_rule(kernel):
    """Return the text of a kernel; the text of the rule takes the line that includes it."""
    rule = (resources.files("polymask.csrc") / "inside_polygon.h").read_text("utf-8")
    return kernel.replace('#include "inside_polygon.h"', rule)


def wrong_pixels(mask):
    """Return what is wrong with a device's mask, in one line; an empty text if nothing is."""
    expected = np.unpackbits(np.frombuffer(RIGHT, np.uint8)).reshape(SHAPE)
    wrong = int(np.count_nonzero(mask != expected))
    return f"it computes {wrong} of {mask.size} pixels wrong" if wrong else ""


def first_line(error):
    """Return the first line of an error's message."""
    return (str(error).splitlines() or [""])[0]
