"""What the run needs of the machine: its GPU, a Python environment, NVIDIA's OpenCL driver."""

import ctypes
import os
import shutil
import site
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

VERSION = sysconfig.get_python_version()
CUDA_DRIVER = "libcuda.so.1"
OPENCL_DRIVER = "libnvidia-opencl.so.1"  # the loader of OpenCL skips it where it is missing
VENDORS = Path("/etc/OpenCL/vendors")
VENDORS_VARIABLE = "OCL_ICD_VENDORS"


def gpu_problem():
    """Return why no NVIDIA GPU can be used, or an empty text."""
    try:
        cuda = ctypes.CDLL(CUDA_DRIVER)
    except OSError as error:
        return str(error)
    count = ctypes.c_int()
    for code in (cuda.cuInit(0), cuda.cuDeviceGetCount(ctypes.byref(count))):
        if code:
            return f"{CUDA_DRIVER} reports error {code}"
    return "" if count.value else f"{CUDA_DRIVER} lists no device"


def gpu_names():
    """Return what nvidia-smi says of each GPU: name, memory, version of the driver."""
    try:
        command = ["nvidia-smi", "--query-gpu=name,memory.total,driver_version"]
        done = subprocess.run(
            [*command, "--format=csv,noheader"], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return "nvidia-smi is not here"
    return "; ".join((done.stdout or done.stderr).strip().splitlines())


def python_commands(python, wheels, folder):
    """Return commands that make an environment of a Python's packages and a folder of wheels.

    The packages of that Python stay as they are. A `.pth` file makes them visible, even those of a
    virtual environment, which `--system-site-packages` would not; NVIDIA's own search for its
    libraries asks for the prefixes. Wheels override them. A wheel whose version is already
    installed is left out.
    """
    made, inner = Path(folder, "bin/python"), Path(folder, "lib", f"python{VERSION}")
    outer = [f"import site; site.PREFIXES.append({sys.prefix!r})\n"]
    outer += [f"import site; site.addsitedir({path!r})\n" for path in package_folders()]
    needed = [str(wheel) for wheel in sorted(Path(wheels).glob("*.whl")) if not installed(wheel)]
    install = ["env", "POLYMASK_BUILD=later", str(made), "-m", "pip", "install", "-q"]
    install += ["--no-index", "--no-deps", "--ignore-installed", "--no-compile"]
    write = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])"
    commands = [
        [python, "-m", "venv", "--clear", "--without-pip", str(folder)],
        [python, "-c", write, str(inner / "site-packages/outer.pth"), "".join(outer)],
    ]
    if needed:
        commands.append([*install, *needed])
    return [*commands, [*install, "--no-build-isolation", "--editable", "."]]


def package_folders():
    """Return the folders in which this Python's packages lie."""
    folders = site.getsitepackages()
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    return [folder for folder in folders if Path(folder).is_dir()]


def installed(wheel):
    """Return whether this Python has the version of a package that a wheel holds."""
    name, version = wheel.name.split("-")[:2]
    try:
        return metadata.version(name) == version
    except metadata.PackageNotFoundError:
        return False


def opencl_vendors(folder, vendors=VENDORS):
    """Let OpenCL find NVIDIA's driver where no .icd file names it; return the variables to set.

    The folder receives the system's .icd files and NVIDIA's. A user's own variable is kept.
    """
    files = sorted(vendors.glob("*.icd")) if vendors.is_dir() else []
    named = any("libnvidia-opencl.so" in file.read_text(errors="replace") for file in files)
    if os.environ.get(VENDORS_VARIABLE) or named:
        return {}
    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy(file, folder)
    (folder / "nvidia.icd").write_text(f"{OPENCL_DRIVER}\n")
    return {VENDORS_VARIABLE: str(folder)}
