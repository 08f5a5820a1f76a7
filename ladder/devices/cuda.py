"""CUDA devices: NVIDIA's GPUs with numba-cuda, tried in another process, as a driver may crash.

The first device is used, as in Numba; CUDA_VISIBLE_DEVICES chooses another. Numba's simulator runs
a kernel's threads in Python. It shows whether a kernel is right, but it is not a device: no rung
loads with it, so it is never timed.
"""

import ctypes
import os
import sys

from ladder.devices import Device, cuda_commands
from ladder.devices.search import Search
from ladder.devices.work_group import work_group_within
from polymask.common import run_once
from polymask.common.error_text import named
from polymask.contract import BadSetting, Unavailable

SIMULATOR = "NUMBA_ENABLE_CUDASIM"
OFF, VISIBLE = "NUMBA_DISABLE_CUDA", "CUDA_VISIBLE_DEVICES"
DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
MOST_THREADS = 1024  # of a block, on every device
MOST_BLOCKS = 65535  # of a grid in y; the limit in x is 2**31 - 1
SHARED_BYTES = 48 * 1024  # of a block, on every device
# Error codes (of CUresult and of cudaError_t): out of memory, device unavailable, no device,
# invalid device, uncorrectable memory error.
GIVES_UP = {2, 46, 100, 101, 214}
HINT = "pip install 'polymask[cuda]', for a driver of CUDA 13"


class Cuda(Search):
    """The search for the first visible device, as a `Device`: this process lists no devices."""

    kind, package, trial = "CUDA", "numba_cuda", "ladder.devices.cuda_trial"
    answer_variable = "POLYMASK_CUDA_DEVICE"
    read_by_drivers = ("CUDA_", "LD_", "NUMBA_", "NVIDIA_")
    install_hint = HINT
    device_format = "CUDA {device.version}; {choice}"

    def prepare(self):
        """Refuse bad settings, and look for the driver."""
        refuse_simulator()
        if (os.environ.get(OFF) or "0") != "0":
            reason = f"{OFF}={named(os.environ[OFF])} keeps Numba from using a GPU"
            raise BadSetting(reason, f"unset {OFF}")
        driver = os.environ.get("NUMBA_CUDA_DRIVER") or DRIVER
        try:
            ctypes.CDLL(driver)
        except OSError:
            reason = f"NVIDIA's driver is missing ({driver})"
            raise Unavailable(reason, "use a machine with an NVIDIA GPU") from None

    def remedy(self, failure=""):
        """Return the command that shows the driver's state."""
        return "run nvidia-smi to see the driver's state"

    def none_listed(self, reason):
        """Return the error about a missing device, which a setting may have hidden."""
        if VISIBLE not in os.environ:
            return super().none_listed(reason)
        return BadSetting(
            f"{reason}, and {VISIBLE}={named(os.environ[VISIBLE])}",
            f"unset {VISIBLE}, or name another GPU",
        )

    def works(self, trials):
        """Return the first device; if it fails, raise the reason, and name a device that works."""
        first, *others = trials
        if not first.failure:
            return first
        working = [trial.choice for trial in others if not trial.failure]
        raise Unavailable(
            f"no CUDA device works: {first.device.name}: {first.failure}",
            f"set {working[0]}" if working else HINT,
        )

    def check_apart(self):
        """Raise `Unavailable` as `check` does, without an import of Numba."""
        refuse_simulator()
        super().check_apart()

    def _device(self):
        self.check_apart()
        from numba.cuda.core import config  # of numba-cuda

        config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # small images are intended
        return Device(**self.answer()["device"])

    def describe(self, device):
        """Return the device, which already is a `Device`."""
        return device

    def gives_up(self, error):
        """Return whether an error of Numba or CuPy means: out of memory, or the device is gone."""
        if type(error).__module__.startswith("cupy"):
            return isinstance(error, MemoryError) or getattr(error, "status", None) in GIVES_UP
        from numba.cuda.cudadrv.driver import CudaAPIError

        return isinstance(error, CudaAPIError) and int(error.code) in GIVES_UP

    commands = staticmethod(cuda_commands.commands)

    def launch(self):
        ready()
        return cuda_commands.launch()


KIND = Cuda()
# For rungs.
once, device, check, or_unavailable = run_once.once, KIND.device, KIND.check, KIND.or_unavailable


def ready():
    """Raise `Unavailable` if there is neither a device nor the simulator."""
    if not simulated():
        device()


def compute_capability():
    """Return the device's compute capability, such as (9, 0)."""
    from numba import cuda

    device()
    return tuple(cuda.get_current_device().compute_capability)


def simulated():
    """Return whether Numba's simulator replaces the device, without an import of Numba."""
    if numba := sys.modules.get("numba"):
        return bool(numba.config.ENABLE_CUDASIM)
    text = os.environ.get(SIMULATOR) or "0"
    if not text.isdecimal():  # Numba would read it as 0, and print a traceback
        reason = f"{SIMULATOR}={named(text)} is neither 0 nor 1"
        raise BadSetting(reason, "set it to one, or unset it")
    return int(text) != 0


def refuse_simulator():
    """Raise `Unavailable` under the simulator."""
    if simulated():
        reason = f"{SIMULATOR} is set: Numba's simulator replaces the device, and is never timed"
        raise Unavailable(reason, f"unset {SIMULATOR}")


def check_work_group(work_group):
    """Return a work-group (a block) as (rows, columns); refuse one that cannot run."""
    return work_group_within(work_group, MOST_THREADS)


def grid(cols, rows):
    """Return a grid of at least one block; rows beyond the limit in y continue in z."""
    return cols, min(max(rows, 1), MOST_BLOCKS), max(-(-rows // MOST_BLOCKS), 1)
