"""Tries a SYCL device, as a process that a driver may crash: run by `polymask.devices.sycl`.

Prints a line of JSON for all devices in their order, and one for the device that was tried.
"""

import ctypes
import sys
from dataclasses import asdict
from importlib import resources

import dpctl
import numpy as np
from dpctl.memory import MemoryUSMShared
from dpctl.program import create_program_from_source

from polymask.devices import apart, sycl
from polymask.devices.trial_mask import POLYGON, SHAPE, first_line, what_is_wrong, with_rule


def main():
    """List the devices, and try that of number sys.argv[1]."""
    say = apart.speaker()
    devices = sycl.listed()
    if not devices:
        say(nothing=nothing())
        return
    say(
        found=[
            {"device": asdict(sycl.describe(device)), "choice": choice}
            for choice, device in devices.items()
        ]
    )
    say(failure=fails([*devices.values()][int(sys.argv[1])]))


def nothing():
    """Say why there is no device to try."""
    if sycl.chosen_by_user():
        return f"{sycl.SELECTOR}={sycl.chosen_by_user()} chooses no device here"
    return "SYCL finds no device here"


def fails(device):
    """Return why a device cannot be used, in one line; an empty text if it can."""
    if not device.has_aspect_fp64:
        return "it does not compute in double precision"
    if not device.has_aspect_usm_shared_allocations:
        return "it has no memory that it shares with the host (USM)"
    try:
        mask = make_mask(device)
    except Exception as error:  # whatever a driver does wrong is its failure
        return f"{type(error).__name__}: {first_line(error)}"
    return what_is_wrong(mask)


def make_mask(device):
    """Return the mask of a polygon, made by the device."""
    queue = dpctl.SyclQueue(device)
    text = (resources.files("polymask.csrc") / "mask.cl").read_text("utf-8")
    program = create_program_from_source(queue, with_rule(text))
    vertices = MemoryUSMShared(POLYGON.nbytes, queue=queue)
    vertices.copy_from_host(np.frombuffer(POLYGON, np.uint8))
    mask = MemoryUSMShared(SHAPE[0] * SHAPE[1], queue=queue)
    mask.copy_from_host(np.full(SHAPE[0] * SHAPE[1], 0xA5, np.uint8))
    queue.submit(
        program.get_sycl_kernel("polygon_mask"),
        [vertices, ctypes.c_int64(len(POLYGON)), ctypes.c_int(1),
         ctypes.c_int64(SHAPE[0]), ctypes.c_int64(SHAPE[1]), mask],
        [*SHAPE],
    )  # fmt: skip
    queue.wait()
    return mask.copy_to_host().reshape(SHAPE)


if __name__ == "__main__":
    main()
