"""A separate process that tries a device: a driver that crashes or hangs ends this process alone.

It runs a module with the number of a device, and answers in lines of JSON: "imported" after the
import; "found", a dict for each device in order, or "nothing", the reason why there is none; then
"failure", the reason why the device cannot be used, or an empty text.
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

# The small mask that tests a device.
SHAPE = (24, 40)  # rows and columns
# Its edges pass through pixels: a quotient with a wrong last bit changes the mask.
POLYGON = np.array([(0.0, 0.0), (39.0, 13.0), (19.0, 23.0), (4.0, 18.0)])
# The right mask, eight pixels a byte; the reference is in the ladder, above this room.
RIGHT = bytes.fromhex(
    "800000000070000000007e000000007fc00000007ff80000003fff0000003fffe000003ffffc0000"
    "3fffff80001ffffff0001ffffffe001fffffffc01ffffffff81fffffffff0ffffffffc0ffffffff0"
    "0fffffffc00fffffff000ffffffc0000fffff000001fffc0000003ff000000007c00000000100000"
)


class NoDevice(LookupError):
    """No device to try; the message is the reason in one line."""


def run(module, number, seconds):
    """List all devices and try the one of this number, in another process.

    Returns its answer, a dict, and a description of its end, which is the failure if the answer has
    none.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", module, str(number)],
            cwd=ROOT,  # with this package, and without user files that shadow modules
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
    """Describe how a trial process ended, with the driver's last line."""
    words = done.stderr.decode(errors="replace").strip().splitlines()
    last = f" ({words[-1].strip()})" if words else ""
    if done.returncode < 0:
        name = signal.strsignal(-done.returncode) or f"signal {-done.returncode}"
        return f"the driver crashed: {name}{last}"
    return f"the driver ended the process with code {done.returncode}{last}"


def main(list_devices, describe, fails):
    """Run the trial process: list the devices, and try number sys.argv[1].

    Parameters
    ----------
    list_devices : callable
        Returns (choice, device) of all devices in order, or raises `NoDevice`.
    describe : callable
        Returns the `Device` for a device.
    fails : callable
        Returns in one line why a device cannot be used; an empty text if it can.
    """
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keeps the output of drivers apart

    def answer(**part):
        print(json.dumps(part), file=out, flush=True)

    answer(imported=True)
    try:
        devices = list_devices()
    except NoDevice as none:
        answer(nothing=str(none))
        return
    answer(found=[{"device": asdict(describe(device)), "choice": name} for name, device in devices])
    _, device = devices[int(sys.argv[1])]
    try:
        failure = fails(device)
    except Exception as error:  # any error of a driver is its failure
        failure = f"{type(error).__name__}: {first_line(error)}"
    answer(failure=failure)


def with_rule(kernel):
    """Return a kernel's text, with the rule's text in place of its include line."""
    rule = (resources.files("polymask.csrc") / "inside_polygon.h").read_text("utf-8")
    return kernel.replace('#include "inside_polygon.h"', rule)


def wrong_pixels(mask):
    """Return in one line what is wrong with a device's mask; an empty text if nothing is."""
    expected = np.unpackbits(np.frombuffer(RIGHT, np.uint8)).reshape(SHAPE)
    wrong = int(np.count_nonzero(mask != expected))
    return f"it computes {wrong} of {mask.size} pixels wrong" if wrong else ""


def first_line(error):
    """Return the first line of an error's message."""
    return (str(error).splitlines() or [""])[0]
