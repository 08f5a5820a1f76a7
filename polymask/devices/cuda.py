"""CUDA devices: NVIDIA's GPUs by numba-cuda, tried in a process of its own, as a driver may crash.

Of several the first is taken, as Numba does; CUDA_VISIBLE_DEVICES chooses another. Numba's
simulator, which runs a kernel's threads in Python, shows whether a kernel is right, and is no
device: no rung loads under it, so that nobody times it.
"""

import ctypes
import os
import sys

from polymask.common import run_once
from polymask.common.error_text import named
from polymask.contract import BadSetting, Unavailable
from polymask.devices import Device, cuda_commands
from polymask.devices.search import Search
from polymask.devices.work_group import work_group_within

SIMULATOR = "NUMBA_ENABLE_CUDASIM"
OFF, VISIBLE = "NUMBA_DISABLE_CUDA", "CUDA_VISIBLE_DEVICES"
DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
MOST_THREADS = 1024  # of a block, on every device
MOST_BLOCKS = 65535  # of a grid, in y; in x there may be 2**31 - 1
# Numbers of CUresult: out of memory, device unavailable, no device, invalid device, memory that is
# broken beyond correction.
GIVES_UP = {2, 46, 100, 101, 214}
HINT = "pip install 'polymask[cuda]', for a driver of CUDA 13"


class Cuda(Search):
    """The first device that is visible, as a `Device`: Numba lists none in this process for it."""

    kind, package, trial = "CUDA", "numba_cuda", "polymask.devices.cuda_trial"
    answer_variable = "POLYMASK_CUDA_DEVICE"
    read_by_drivers = ("CUDA_", "LD_", "NUMBA_", "NVIDIA_")
    install_hint = HINT
    device_format = "CUDA {device.version}; {choice}"

    def prepare(self):
        """Refuse settings, and look for the driver."""
        refuse_simulator()
        if (os.environ.get(OFF) or "0") != "0":
            reason = f"{OFF}={named(os.environ[OFF])}: Numba looks for no GPU then"
            raise BadSetting(reason, f"unset {OFF}")
        driver = os.environ.get("NUMBA_CUDA_DRIVER") or DRIVER
        try:
            ctypes.CDLL(driver)
        except OSError:
            raise Unavailable(
                f"NVIDIA's driver is not here ({driver})", "use a machine with an NVIDIA GPU"
            ) from None

    def remedy(self, failure=""):
        """Name the program that shows the driver's state."""
        return "see what nvidia-smi says"

    def none_listed(self, reason):
        """Return the error that there is no device to try: they may be hidden."""
        if VISIBLE not in os.environ:
            return super().none_listed(reason)
        return BadSetting(
            f"{reason}, and {VISIBLE}={named(os.environ[VISIBLE])}",
            f"unset {VISIBLE}, or name another GPU",
        )

    def works(self, tried):
        """Return the first device; if it fails, raise why, with one that works if there is any."""
        first, *others = tried
        if not first.failure:
            return first
        good = [one.choice for one in others if not one.failure]
        raise Unavailable(
            f"no CUDA device works: {first.device.name}: {first.failure}",
            f"set {good[0]}" if good else HINT,
        )

    def check_apart(self):
        """Raise `Unavailable` as `check` does; nothing of Numba is imported in this process."""
        refuse_simulator()
        super().check_apart()

    def _device(self):
        self.check_apart()
        from numba.cuda.core import config  # of numba-cuda

        config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a small image is no mistake
        return Device(**self.answer()["device"])

    def describe(self, device):
        """Return the `Device`, which is what this kind takes."""
        return device

    def gives_up(self, error):
        """Return whether an error is Numba's that the device is out of memory, or gone."""
        from numba.cuda.cudadrv.driver import CudaAPIError

        return isinstance(error, CudaAPIError) and int(error.code) in GIVES_UP


once = run_once.once  # for what rungs make a single time
search = Cuda()
device, chosen, cores, check, check_apart = (
    search.device, search.chosen, search.cores, search.check, search.check_apart
)  # fmt: skip
survey, works, line = search.survey, search.works, search.line
or_unavailable, commands = search.or_unavailable, cuda_commands.commands


def launch():
    """Return name to a function that does one of what a launch takes; see `polymask.devices`."""
    ready()
    return cuda_commands.launch()


def ready():
    """Raise `Unavailable` where no kernel can run: there is neither a device nor the simulator."""
    if not simulated():
        device()


def compute_capability():
    """Return the generation of the device that is taken, as compilers count them: (9, 0), say."""
    from numba import cuda

    device()
    return tuple(cuda.get_current_device().compute_capability)


def simulated():
    """Return whether Numba's simulator stands for the device; Numba is not imported to tell."""
    if numba := sys.modules.get("numba"):
        return bool(numba.config.ENABLE_CUDASIM)
    text = os.environ.get(SIMULATOR) or "0"
    if not text.isdecimal():  # Numba would take it for 0, with a traceback
        reason = f"{SIMULATOR}={named(text)} is neither 0 nor 1"
        raise BadSetting(reason, "set it to one, or unset it")
    return int(text) != 0


def refuse_simulator():
    """Raise `Unavailable` under the simulator."""
    if simulated():
        raise Unavailable(
            f"{SIMULATOR} is set: Numba's simulator stands for the device, and is never timed",
            f"unset {SIMULATOR}",
        )


def check_work_group(work_group):
    """Return a work-group, which is a block, as (rows, columns); refuse one that cannot run."""
    return work_group_within(work_group, MOST_THREADS)
