"""OpenCL devices: the first that builds and runs a small kernel correctly."""

import ctypes.util
import os
import platform
import shutil
import sys
import warnings

from ladder.common import caches
from ladder.devices import Device, intel, opencl_commands, opencl_fork
from ladder.devices.search import Search
from ladder.devices.work_group import work_group_within
from polymask.common import run_once

TYPES = {"CPU": 1 << 1, "GPU": 1 << 2}  # CL_DEVICE_TYPE_CPU and its like, of OpenCL's header
READ = ("CL_", "CUDA_", "LD_", "OCL_", "OPENCL_", "POCL_", "PYOPENCL_", "ROCR_", "ZE_")
GIVES_UP = {  # errors of a driver that is out of memory, or whose device is gone
    "DEVICE_NOT_AVAILABLE",
    "INVALID_BUFFER_SIZE",
    "MEM_OBJECT_ALLOCATION_FAILURE",
    "OUT_OF_HOST_MEMORY",
    "OUT_OF_RESOURCES",
}
LINKERS = "ld", "ld.lld", "gcc", "clang"
LINKER = "add the folder of a linker, which PoCL runs, to PATH, or install one: apt install gcc"
NVIDIA = "nvidia-opencl"
PACKAGES = "apt install pocl-opencl-icd, or dnf install pocl"


class OpenCL(Search):
    """The search for PYOPENCL_CTX's device, else a GPU, else a CPU, as a `pyopencl.Device`."""

    kind, package, trial = "OpenCL", "pyopencl", "ladder.devices.opencl_trial"
    answer_variable, chooser = "POLYMASK_OPENCL_DEVICE", "PYOPENCL_CTX"
    read_by_drivers = READ
    install_hint = "pip install 'polymask[opencl]'"
    unlisted_hint = "set OCL_ICD_VENDORS to a folder with the .icd files of drivers that work"
    device_format = "{device.platform} {device.version}; PYOPENCL_CTX={choice}"

    def prepare(self):
        """Make sure that PoCL and PyOpenCL have a cache folder."""
        caches.ensure()

    def remedy(self, failure=""):
        """Return the driver packages for this machine."""
        if "linking" in failure and not any(map(shutil.which, LINKERS)):
            return LINKER
        if nvidia := unnamed_driver():
            icd = f"echo {nvidia} > {intel.SYSTEM}/nvidia.icd"
            return f"list NVIDIA's driver for OpenCL: mkdir -p {intel.SYSTEM} && {icd}"
        wheels = sys.platform == "linux" and platform.machine() == "x86_64"
        if not wheels or intel.library():
            return f"install a driver, such as your system's PoCL: {PACKAGES}"
        return f"`make opencl` (0.8 GB), or your system's PoCL: {PACKAGES}"

    def _device(self):
        self.check_apart()
        import pyopencl as cl

        # Intel's compiler prints a message for each kernel that it compiles.
        warnings.filterwarnings("ignore", "Non-empty compiler output", cl.CompilerWarning)
        return super()._device()

    def _listed(self):
        """Map values of PYOPENCL_CTX to devices, with Intel's from the package index."""
        import pyopencl as cl

        with intel.listed():  # the loader reads its folders in its first call
            platforms = cl.get_platforms()
        return {
            f"{p}:{d}": device
            for p, entry in enumerate(platforms)
            for d, device in enumerate(entry.get_devices())
        }

    def describe(self, device):
        """Return the `Device` of a `pyopencl.Device`."""
        return Device(
            platform=device.platform.name.strip(),
            version=device.platform.version.strip(),
            name=device.name.strip(),
            driver=device.driver_version.strip(),
            type=next((name for name, bit in TYPES.items() if device.type & bit), "other"),
            compute_units=device.max_compute_units,
        )

    def gives_up(self, error):
        """Return whether PyOpenCL's error means that the device is out of memory, or gone."""
        import pyopencl as cl

        return isinstance(error, cl.Error) and error.code in {
            getattr(cl.status_code, name) for name in GIVES_UP
        }

    commands = staticmethod(opencl_commands.commands)

    def launch(self):
        return opencl_commands.launch(self.device())


if hasattr(os, "register_at_fork"):  # Windows has no fork
    os.register_at_fork(after_in_child=opencl_fork.keep_driver_objects)
KIND = OpenCL()
# For rungs, and the offload runtime.
once, device, check, or_unavailable = run_once.once, KIND.device, KIND.check, KIND.or_unavailable
survey, listed, describe, gives_up = KIND.survey, KIND.listed, KIND.describe, KIND.gives_up
commands, run = opencl_commands.commands, opencl_commands.run


def unnamed_driver():
    """Return NVIDIA's driver if it is installed and no .icd file of the system names it."""
    driver = ctypes.util.find_library(NVIDIA) if sys.platform == "linux" else None
    icd_texts = (icd.read_text(errors="replace") for icd in intel.SYSTEM.glob("*.icd"))
    return driver if driver and not any(NVIDIA in text for text in icd_texts) else None


def check_work_group(work_group):
    """Return a work-group as (rows, columns); refuse one that the device cannot run."""
    return work_group_within(work_group, device().max_work_group_size)
