"""OpenCL devices: the first that builds and runs a small kernel right, and why others do not.

A driver may list a device that it cannot compile for, or crash. So devices are tried in a process
of their own (`polymask.devices.apart`, `trial`), once a run: child processes inherit the answer.
"""

import importlib.util
import os
import platform
import shutil
import sys
import warnings

from polymask import contract, devices
from polymask.common import caches, error_text
from polymask.common.run_once import once
from polymask.common.staleness import ROOT
from polymask.devices import Device, apart, intel, opencl_commands, work_group

TRIAL_S = 120.0  # a driver that has no answer then hangs; an emulated one takes half of it
ANSWER = "POLYMASK_OPENCL_DEVICE"  # the variable by which child processes know it
TYPES = {"CPU": 1 << 1, "GPU": 1 << 2}  # CL_DEVICE_TYPE_CPU and its like, of OpenCL's header
READ_BY_DRIVERS = ("CL_", "CUDA_", "LD_", "OCL_", "OPENCL_", "POCL_", "PYOPENCL_", "ROCR_", "ZE_")
# They may hide a driver, its devices, or what these build with.
STEERING = ("OCL_", "OPENCL_", "POCL_CACHE", "POCL_DEVICES", "POCL_EXTRA", "PYOPENCL_BUILD")
# PyOpenCL reads these when it is imported, and of other words tells no name.
SWITCHES = "PYOPENCL_COMPILER_OUTPUT", "PYOPENCL_NO_CACHE"
SWITCHED = {"y", "yes", "t", "true", "on", "1", "n", "no", "f", "false", "off", "0"}
GIVES_UP = {  # what a driver says that is out of memory, or whose device is gone
    "DEVICE_NOT_AVAILABLE",
    "INVALID_BUFFER_SIZE",
    "MEM_OBJECT_ALLOCATION_FAILURE",
    "OUT_OF_HOST_MEMORY",
    "OUT_OF_RESOURCES",
}
LINKERS = "ld", "ld.lld", "gcc", "clang"
LINKER = "let PATH name the folder of a linker, which PoCL runs, or install one: apt install gcc"
PACKAGES = "apt install pocl-opencl-icd, or dnf install pocl"
commands = opencl_commands.commands  # one of the answers of a kind, as launch is
as_one = opencl_commands.as_one
work_group_within, bands = work_group.work_group_within, work_group.bands


@once
def device():
    """Return the first device that works: PYOPENCL_CTX's if that is set, else a GPU, else a CPU.

    If none works, `Unavailable` has the reason of the first, in its compiler's own words.
    """
    taken = answer()
    apart.refuse_none(taken)
    import pyopencl as cl

    # Intel's compiler says of each kernel, in words, that it is well.
    warnings.filterwarnings("ignore", "Non-empty compiler output", cl.CompilerWarning)
    wanted, here = Device(**taken["device"]), listed()
    same = [choice for choice, one in here.items() if describe(one) == wanted]
    if not same:
        raise contract.Unavailable(
            f"{wanted.name} works, but PyOpenCL does not list it in this process",
            "ask PyOpenCL for platforms after the first mask: it reads its drivers once",
        )
    return here[taken["choice"] if taken["choice"] in same else same[0]]


def check():
    """Raise `Unavailable` if no device works."""
    device()


@once
def answer():
    """Return which device works, or why none does: a dict, for this process and its children."""
    return apart.remembered(ANSWER, environment(), lambda: works(survey(every=False)))


def check_settings():
    """Refuse what PyOpenCL would not be imported with; see `contract.BadSetting`."""
    for name in SWITCHES:
        if os.environ.get(name, "no").lower() not in SWITCHED:
            reason = f"{name}={error_text.named(os.environ[name])} is neither 0 nor 1"
            raise contract.BadSetting(reason, "set it to one, or unset it")


def survey(every=True):
    """Try devices in the order in which they would be taken; return a `Tried` of each.

    Without `every` it ends with the first that works. Nothing to try is `Unavailable`.
    """
    spec = importlib.util.find_spec("pyopencl")
    if spec is None or spec.origin is None:  # pip may leave an empty folder of it
        raise contract.Unavailable(
            "the package pyopencl is not installed", "pip install 'polymask[opencl]'"
        )
    check_settings()
    caches.ensure()  # where PoCL and PyOpenCL compile
    return apart.survey(run_trial, every)


def run_trial(number):
    """Let a process list all devices, and try the one of this number.

    Returns what it found, a dict a device, and why that one cannot be used: an empty text if it
    can. No device, or none that can be listed, is `Unavailable`.
    """
    said, failure = apart.said_by("polymask.devices.trial", number, TRIAL_S)
    apart.refuse_broken(said, failure, "pyopencl", "pip install 'polymask[opencl]'")
    if "nothing" in said:
        raise apart.nothing(said["nothing"], chosen_by_user(), remedy)
    if "found" not in said:
        raise contract.Unavailable(
            f"OpenCL's devices cannot be listed: {failure}",
            "let OCL_ICD_VENDORS name a folder with the .icd files of drivers that work",
        )
    return said["found"], said.get("failure", failure)


def works(tried):
    """Return the first of those tried that works; else raise why none does, and what to do."""
    choice = f"PYOPENCL_CTX={chosen_by_user()}" if chosen_by_user() else ""
    return apart.first_that_works(tried, "OpenCL", choice, lambda: remedy(tried[0].failure))


def remedy(failure=""):
    """Say what brings a device that works to this machine, in one line; of one, why it fails."""
    if "linking" in failure and not any(map(shutil.which, LINKERS)):
        return LINKER
    set_here = steering()
    unset = f"unset {' '.join(set_here)}, or " if set_here else ""
    wheels = sys.platform == "linux" and platform.machine() == "x86_64"
    if not wheels or intel.library():
        return f"{unset}install a driver, such as your system's PoCL: {PACKAGES}"
    command = "`make opencl`"
    if not (ROOT / "Makefile").exists():
        command = "pip install 'polymask[opencl-intel]'"
    return f"{unset}{command} (0.8 GB), or your system's PoCL: {PACKAGES}"


def steering():
    """Return the variables that are set, and may be why no device is found, or none builds."""
    found = sorted(
        name for name, value in os.environ.items() if value and name.startswith(STEERING)
    )
    cache = os.environ.get("XDG_CACHE_HOME")  # where PoCL compiles
    if cache and os.path.exists(cache) and not os.path.isdir(cache):
        found.append("XDG_CACHE_HOME")
    return found


def line(tried):
    """Say what came of trying a device, in one line."""
    device, works = tried.device, "works" if not tried.failure else f"fails: {tried.failure}"
    return (
        f"{device.name} ({device.platform} {device.version}; PYOPENCL_CTX={tried.choice}) {works}"
    )


def chosen_by_user():
    """Return PYOPENCL_CTX, or an empty text."""
    return os.environ.get("PYOPENCL_CTX", "")


@once
def listed():
    """Return all devices, each by what PYOPENCL_CTX calls it; Intel's of the package index, too."""
    import pyopencl as cl

    with intel.listed():  # the loader reads its folders when it is first asked
        platforms = cl.get_platforms()
    return {
        f"{p}:{d}": device
        for p, one in enumerate(platforms)
        for d, device in enumerate(one.get_devices())
    }


def describe(device):
    """Return the `Device` of a `pyopencl.Device`."""
    return Device(
        platform=device.platform.name.strip(),
        version=device.platform.version.strip(),
        name=device.name.strip(),
        driver=device.driver_version.strip(),
        type=next((name for name, bit in TYPES.items() if device.type & bit), "other"),
        compute_units=device.max_compute_units,
    )


def or_unavailable(function):
    """Decorate what uses the device: `Unavailable` where that is out of memory, or gone."""
    return devices.or_unavailable(function, gives_up, lambda: describe(device()).name)


def gives_up(error):
    """Return whether an error is PyOpenCL's that the device is out of memory, or gone."""
    import pyopencl as cl

    return isinstance(error, cl.Error) and error.code in {
        getattr(cl.status_code, name) for name in GIVES_UP
    }


def chosen():
    """Return the `Device` that this process has taken, or None where it has taken none."""
    return describe(device()) if device.cache_info().currsize else None


def cores():
    """Return how many cores the device has if it is a CPU, else 1: the host's thread that waits."""
    taken = describe(device())
    return taken.compute_units if taken.is_cpu else 1


def check_work_group(work_group, most_rows=None):
    """Return a work-group as (rows, columns); refuse one that the device cannot run.

    `most_rows` says how many rows it has memory for; None is any number.
    """
    return work_group_within(work_group, device().max_work_group_size, most_rows)


def launch():
    """Return name to a function that does one of what a launch takes; see `polymask.devices`."""
    return opencl_commands.launch(device())


def environment():
    """Return a digest of all that drivers are told by variables, and of where packages lie."""
    return apart.told(READ_BY_DRIVERS)
