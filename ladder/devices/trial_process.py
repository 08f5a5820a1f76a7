"""A separate process that tries a device: a driver that crashes or hangs affects no other process.

The process runs a module with the number of a device, and answers with lines of JSON: "imported"
after the import; "found", a dict for each device in order, or "nothing", the reason why there is no
device; then "failure", the reason why the device cannot be used, or an empty text.
"""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict

import numpy as np

from ladder.common.staleness import ROOT
from polymask.common.error_text import first_line

# The small mask that tests a device.
SHAPE = (24, 40)  # rows and columns
# Its edges pass through samples: a quotient with a wrong last bit changes the mask.
POLYGON = np.array([(0.0, 0.0), (39.0, 13.0), (19.0, 23.0), (4.0, 18.0)])
# The right mask, eight pixels per byte; this package must not import the ladder's reference.
RIGHT = bytes.fromhex(
    "800000000070000000007e000000007fc00000007ff80000003fff0000003fffe000003ffffc0000"
    "3fffff80001ffffff0001ffffffe001fffffffc01ffffffff81fffffffff0ffffffffc0ffffffff0"
    "0fffffffc00fffffff000ffffffc0000fffff000001fffc0000003ff000000007c00000000100000"
)


class NoDevice(LookupError):
    """The error if there is no device to try; its message is the reason in one line."""


def run(module, number, seconds):
    """List all devices in another process, and try the device with this number.

    Returns the answer, a dict, and a description of the process's end, which is the failure if the
    answer has none.
    """
    try:
        process = subprocess.run(
            [sys.executable, "-m", module, str(number)],
            cwd=ROOT,  # which contains this package, but no user files that shadow modules
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
        output, failure = process.stdout, describe_end(process)
    except subprocess.TimeoutExpired as timeout:
        output = timeout.stdout or b""
        failure = f"the driver gave no answer within {seconds:g} s"
    answer = {}
    for line in output.splitlines():
        answer |= json.loads(line)
    return answer, failure


def describe_end(process):
    """Describe how a trial process ended, with the driver's last line."""
    lines = process.stderr.decode(errors="replace").strip().splitlines()
    detail = f" ({lines[-1].strip()})" if lines else ""
    if process.returncode < 0:
        name = signal.strsignal(-process.returncode) or f"signal {-process.returncode}"
        return f"the driver crashed: {name}{detail}"
    return f"the driver ended the process with code {process.returncode}{detail}"


def main(list_devices, describe, fails):
    """Run the trial process: list the devices, and try number sys.argv[1].

    `list_devices` returns pairs of a choice and a device, in order, or raises `NoDevice`.
    `describe` returns the `Device` for a device, and `fails` the reason why it cannot be used, in
    one line, or an empty text.
    """
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keep the output of drivers out of the answers

    def answer(**part):
        print(json.dumps(part), file=out, flush=True)

    answer(imported=True)
    try:
        devices = list_devices()
    except NoDevice as error:
        answer(nothing=str(error))
        return
    answer(found=[{"device": asdict(describe(device)), "choice": name} for name, device in devices])
    _, device = devices[int(sys.argv[1])]
    try:
        failure = fails(device)
    except Exception as error:  # any error of a driver is its failure
        failure = f"{type(error).__name__}: {first_line(error)}"
    answer(failure=failure)


def wrong_pixels(mask):
    """Return what is wrong with a device's mask, in one line, or an empty text."""
    expected = np.unpackbits(np.frombuffer(RIGHT, np.uint8)).reshape(SHAPE)
    wrong = int(np.count_nonzero(mask != expected))
    return f"it computes {wrong} of {mask.size} pixels wrong" if wrong else ""
