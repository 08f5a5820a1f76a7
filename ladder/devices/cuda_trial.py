"""The trial of a CUDA device, in the process that `ladder.devices.cuda` starts for it."""

import os

import numpy as np
from numba import cuda

from ladder.devices import Device, trial_process

NUMBERS = 1000
THREADS = 128


@cuda.jit
def divide(a, b, quotients):
    """Divide doubles: the device must run a kernel, and divide as IEEE 754 demands."""
    i = cuda.grid(1)
    if i < quotients.size:
        quotients[i] = a[i] / b[i]


def visible():
    """Return pairs of a setting and a visible device; the setting hides all other devices."""
    if not cuda.is_available():
        reason = one_line(cuda.cuda_error() or "none is listed")
        raise trial_process.NoDevice(f"CUDA finds no device ({reason})")
    names = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    gpus = list(cuda.gpus)
    names += range(len(names), len(gpus))
    return [(f"CUDA_VISIBLE_DEVICES={name}", gpu) for name, gpu in zip(names, gpus, strict=False)]


def describe(gpu):
    """Return the `Device` of one of Numba's devices."""
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
    """Return the reason why a device cannot be used, in one line, or an empty text."""
    a = np.arange(1.0, NUMBERS + 1)
    b, quotients = a[::-1] / 3, np.empty(NUMBERS)
    try:
        with gpu:
            divide[-(-NUMBERS // THREADS), THREADS](a, b, quotients)
    except Exception as error:  # any error of a driver is its failure
        return f"{type(error).__name__}: {one_line(error)}"
    wrong = int(np.count_nonzero(quotients != a / b))
    return f"it divides {wrong} of {NUMBERS} pairs of doubles wrong" if wrong else ""


def one_line(error):
    """Return an error's message in one line."""
    return " ".join(str(error).split())


if __name__ == "__main__":
    trial_process.main(visible, describe, fails)
