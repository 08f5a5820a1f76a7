"""The trial of a SYCL device, in the process that `ladder.devices.sycl` starts for it."""

import ctypes
from importlib import resources

import dpctl
import numpy as np
from dpctl.memory import MemoryUSMShared
from dpctl.program import create_program_from_source

from ladder.devices import sycl, trial_process
from ladder.devices.trial_process import POLYGON, SHAPE
from polymask.common.kernel_text import with_headers


def candidates():
    """Return all devices, in order, as pairs of a choice and a device."""
    if devices := sycl.KIND.listed():
        return list(devices.items())
    if choice := sycl.KIND.choice():
        raise trial_process.NoDevice(f"{sycl.KIND.chooser}={choice} chooses no device here")
    raise trial_process.NoDevice("SYCL finds no device here")


def fails(device):
    """Return the reason why a device cannot be used, in one line, or an empty text."""
    if not device.has_aspect_fp64:
        return "it does not compute in double precision"
    if not device.has_aspect_usm_shared_allocations:
        return "it shares no memory with the host (USM)"
    return trial_process.wrong_pixels(make_mask(device))


def make_mask(device):
    """Return the mask of a polygon, computed by the device."""
    queue = dpctl.SyclQueue(device)
    text = (resources.files("polymask.csrc") / "mask.cl").read_text("utf-8")
    program = create_program_from_source(queue, with_headers(text))
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
    trial_process.main(candidates, sycl.KIND.describe, fails)
