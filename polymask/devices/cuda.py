"""CUDA devices: NVIDIA's GPUs by numba-cuda, tried in a process of its own, as a driver may crash.

Of several the first is taken, as Numba does; CUDA_VISIBLE_DEVICES chooses another. Numba's
simulator, which runs a kernel's threads in Python, shows whether a kernel is right, and is no
device: no rung loads under it, so that nobody times it.
"""

import ctypes
import importlib.util
import os
import sys

from polymask import devices
from polymask.common.error_text import named
from polymask.common.run_once import once
from polymask.contract import BadSetting, Unavailable
from polymask.devices import Device, apart, cuda_commands
from polymask.devices.work_group import work_group_within

TRIAL_S = 120.0  # a driver that has no answer then hangs
ANSWER = "POLYMASK_CUDA_DEVICE"  # the variable by which child processes know it
READ_BY_DRIVERS = ("CUDA_", "LD_", "NUMBA_", "NVIDIA_")
SIMULATOR = "NUMBA_ENABLE_CUDASIM"
OFF, VISIBLE = "NUMBA_DISABLE_CUDA", "CUDA_VISIBLE_DEVICES"
DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
MOST_THREADS = 1024  # of a block, on every device
MOST_BLOCKS = 65535  # of a grid, in y; in x there may be 2**31 - 1
# Numbers of CUresult: out of memory, device unavailable, no device, invalid device, memory that is
# broken beyond correction.
GIVES_UP = {2, 46, 100, 101, 214}
HINT = "pip install 'polymask[cuda]', for a driver of CUDA 13"
commands = cuda_commands.commands  # two answers of a kind


def launch():
    """Return name to a function that does one of what a launch takes; see `polymask.devices`."""
    ready()
    return cuda_commands.launch()


def look():
    """Raise `Unavailable` as `check` does; nothing of Numba is imported in this process."""
    refuse_simulator()
    apart.refuse_none(answer())


def check():
    """Raise `Unavailable` if no device works, or where the simulator stands for one."""
    device()


def ready():
    """Raise `Unavailable` where no kernel can run: there is neither a device nor the simulator."""
    if not simulated():
        device()


@once
def device():
    """Return the `Device` that is taken; if none works, `Unavailable` has the reason."""
    look()
    from numba.cuda.core import config  # of numba-cuda

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a small image is no mistake
    return Device(**answer()["device"])


@once
def answer():
    """Return which device works, or why none does: a dict, for this process and its children."""
    asked = apart.told(READ_BY_DRIVERS)
    return apart.remembered(ANSWER, asked, lambda: works(survey(every=False)))


def survey(every=True):
    """Try the devices in their order, a `Tried` each; without `every`, up to the first that works.

    Nothing to try is `Unavailable`.
    """
    if importlib.util.find_spec("numba_cuda") is None:
        raise Unavailable("the package numba-cuda is not installed", HINT)
    refuse_simulator()
    if (os.environ.get(OFF) or "0") != "0":
        raise BadSetting(
            f"{OFF}={named(os.environ[OFF])}: Numba looks for no GPU then", f"unset {OFF}"
        )
    driver = os.environ.get("NUMBA_CUDA_DRIVER") or DRIVER
    try:
        ctypes.CDLL(driver)
    except OSError:
        raise Unavailable(
            f"NVIDIA's driver is not here ({driver})", "use a machine with an NVIDIA GPU"
        ) from None
    return apart.survey(run_trial, every)


def run_trial(number):
    """Let a process list all devices, and try the one of this number; see `apart.said_by`."""
    said, failure = apart.said_by("polymask.devices.cuda_trial", number, TRIAL_S)
    apart.refuse_broken(said, failure, "numba-cuda", HINT)
    if "nothing" in said and VISIBLE in os.environ:
        reason = f"{said['nothing']}, and {VISIBLE}={named(os.environ[VISIBLE])}"
        raise BadSetting(reason, f"unset {VISIBLE}, or name another GPU")
    if "found" not in said:
        raise Unavailable(
            said.get("nothing") or f"CUDA's devices cannot be listed: {failure}",
            "see what nvidia-smi says",
        )
    return said["found"], said.get("failure", failure)


def works(tried):
    """Return the first device; if it fails, raise why, with one that works if there is any."""
    first, *others = tried
    if not first.failure:
        return first
    good = [one.choice for one in others if not one.failure]
    raise Unavailable(
        f"no CUDA device works: {first.device.name}: {first.failure}",
        f"set {good[0]}" if good else HINT,
    )


def line(tried):
    """Say what came of trying a device, in one line."""
    one, works = tried.device, "works" if not tried.failure else f"fails: {tried.failure}"
    return f"{one.name} (CUDA {one.version}; {tried.choice}) {works}"


def or_unavailable(function):
    """Decorate what uses the device: `Unavailable` where that is out of memory, or gone."""
    return devices.or_unavailable(
        function, gives_up, lambda: chosen().name if chosen() else "the device"
    )


def gives_up(error):
    """Return whether an error is Numba's that the device is out of memory, or gone."""
    from numba.cuda.cudadrv.driver import CudaAPIError

    return isinstance(error, CudaAPIError) and int(error.code) in GIVES_UP


def chosen():
    """Return the `Device` that this process has taken, or None where it has taken none."""
    return device() if device.cache_info().currsize else None


def cores():
    """Return how many cores of the host it keeps busy: one, which waits."""
    device()
    return 1


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
