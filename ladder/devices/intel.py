"""Intel's OpenCL runtime from the package index: its location, and its listing for loaders.

The packages intel-opencl-rt and intel-cmplr-lib-rt make an Intel or AMD processor a device. They do
not register with any loader: their .icd file contains a path that does not exist. PyOpenCL's loader
reads the drivers in a folder, so it gets a folder with the system's drivers and Intel's. dpctl's
loader also takes single files. Each loader reads its variable once, in its first call: the variable
is set during that call only, and no other program sees it.
"""

import contextlib
import os
import shutil
import tempfile
from importlib import metadata
from pathlib import Path

VARIABLE = "OCL_ICD_VENDORS"
PLATFORM = "Intel(R) OpenCL"
FILES = "OCL_ICD_FILENAMES"  # read by dpctl's loader, besides its folder
SYSTEM = Path("/etc/OpenCL/vendors")
PACKAGES = {"intel-opencl-rt": "libintelocl.so", "intel-cmplr-lib-rt": "libimf.so"}


def library():
    """Return the path of Intel's driver, or None if its packages are not installed."""
    files = [_file(package, name) for package, name in PACKAGES.items()]
    return files[0] if all(files) else None


def is_from_index(device):
    """Return whether an OpenCL device is that of Intel's runtime from the package index.

    It is used only if no other works: the packages for SYCL do not change the device of OpenCL.
    """
    return device.platform.name.strip() == PLATFORM and library() is not None


def _file(package, name):
    """Return the path of a package's file, or None."""
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        return None
    paths = (Path(file.locate()).resolve() for file in files if file.name == name)
    return next((path for path in paths if path.exists()), None)


@contextlib.contextmanager
def listed():
    """Show Intel's driver and all others to PyOpenCL's loader, in its first call in the block.

    The loader always finds the drivers in PyOpenCL's wheel. If a user has set OCL_ICD_VENDORS,
    Intel's driver is added to that folder's drivers, but not to a single driver.
    """
    driver, setting = library(), os.environ.get(VARIABLE)
    vendors = Path(setting) if setting else SYSTEM
    if driver is None or (setting and not vendors.is_dir()):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="polymask-opencl-") as name:
        folder = Path(name)
        for icd in vendors.glob("*.icd"):
            with contextlib.suppress(OSError):  # the loader cannot read this file either
                shutil.copyfile(icd, folder / icd.name)
        (folder / "polymask-intel.icd").write_bytes(os.fsencode(driver) + b"\n")
        with _set(VARIABLE, name):
            yield


@contextlib.contextmanager
def named():
    """Show Intel's driver and others to dpctl's loader, in its first call in the block.

    Files named by the user come first.
    """
    driver, setting = library(), os.environ.get(FILES)
    if driver is None:
        yield
        return
    with _set(FILES, os.pathsep.join([*filter(None, [setting]), str(driver)])):
        yield


@contextlib.contextmanager
def _set(variable, value):
    """Set a variable in a block, and restore it afterwards."""
    old_value = os.environ.get(variable)
    os.environ[variable] = value
    try:
        yield
    finally:
        if old_value is None:
            del os.environ[variable]
        else:
            os.environ[variable] = old_value
