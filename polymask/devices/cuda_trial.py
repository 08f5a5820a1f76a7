"""Tries a CUDA device, as a process that a driver may crash: run by `polymask.devices.cuda`.

Prints a line of JSON for all devices in their order, and one for the device that was tried.
"""

import dataclasses
import os
import sys

import numpy as np
from numba import cuda

from polymask.devices import Device, apart

NUMBERS = 1000
THREADS = 128


@cuda.jit
def divide(a, b, quotients):
    """What the rungs ask of a device: a kernel is compiled, and doubles divide as IEEE says."""
    i = cuda.grid(1)
    if i < quotients.size:
        quotients[i] = a[i] / b[i]


def main():
    """List the devices, and try that of number sys.argv[1]."""
    say = apart.speaker()
    if not cuda.is_available():
        say(nothing=f"CUDA finds no device ({one_line(cuda.cuda_error() or 'none is listed')})")
        return
    gpus = list(cuda.gpus)
    say(
        found=[
            {"device": dataclasses.asdict(describe(gpu)), "choice": choice(number)}
            for number, gpu in enumerate(gpus)
        ]
    )
    say(failure=fails(gpus[int(sys.argv[1])]))


def choice(number):
    """Return what a user writes to have this device alone, of those that are visible now."""
    visible = [one for one in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if one]
    return f"CUDA_VISIBLE_DEVICES={visible[number] if number < len(visible) else number}"


def describe(gpu):
    """Return the `Device` of one of Numba's list."""
    version = ".".join(map(str, cuda.cudadrv.driver.driver.get_version()))
    name = gpu.name.decode() if isinstance(gpu.name, bytes) else gpu.name
    return Device(
        platform="CUDA",
        version=version,
        name=name,
        driver=version,
        type="GPU",
        compute_units=gpu.MULTIPROCESSOR_COUNT,
    )


def fails(gpu):
    """Return why a device cannot be used, in one line; an empty text if it can."""
    a = np.arange(1.0, NUMBERS + 1)
    b, quotients = a[::-1] / 3, np.empty(NUMBERS)
    try:
        with gpu:
            divide[-(-NUMBERS // THREADS), THREADS](a, b, quotients)
    except Exception as error:  # whatever a driver does wrong is its failure
        return f"{type(error).__name__}: {one_line(error)}"
    wrong = int(np.count_nonzero(quotients != a / b))
    return f"it divides {wrong} of {NUMBERS} pairs of doubles wrong" if wrong else ""


def one_line(error):
    """Return what an error says, in one line."""
    return " ".join(str(error).split())


if __name__ == "__main__":
    main()
