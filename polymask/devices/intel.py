"""Intel's OpenCL runtime of the package index, found where pip put it and listed with the others.

The packages intel-opencl-rt and intel-cmplr-lib-rt make the processor a device, Intel's or AMD's.
They name themselves to no loader: their .icd file holds a path that does not exist. PyOpenCL's
loader takes its drivers from a folder, so it is shown one that has the system's and Intel's;
dpctl's takes single files besides. Each reads its variable once, when it is first asked: so it is
set for that time alone, and no other program learns of it.
"""

import contextlib
import os
import shutil
import tempfile
from importlib import metadata
from pathlib import Path

VARIABLE = "OCL_ICD_VENDORS"
PLATFORM = "Intel(R) OpenCL"
FILES = "OCL_ICD_FILENAMES"  # which the loader that comes with dpctl reads beside its folder
SYSTEM = Path("/etc/OpenCL/vendors")
PACKAGES = {"intel-opencl-rt": "libintelocl.so", "intel-cmplr-lib-rt": "libimf.so"}


def library():
    """Return the path of Intel's driver, or None where its packages are not installed."""
    found = [_file(package, name) for package, name in PACKAGES.items()]
    return found[0] if all(found) else None


def is_from_index(device):
    """Return whether an OpenCL device is that of Intel's runtime, and the packages brought it.

    It is taken where no other works: what has them for SYCL keeps the device that it had.
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
    """Let a loader that is asked for the first time find Intel's driver beside all others.

    What PyOpenCL's wheel brings is found by it in any case. A user's own OCL_ICD_VENDORS is kept:
    a folder is shown with Intel's added, a single driver is all that was asked for.
    """
    driver, own = library(), os.environ.get(VARIABLE)
    vendors = Path(own) if own else SYSTEM
    if driver is None or (own and not vendors.is_dir()):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="polymask-opencl-") as name:
        folder = Path(name)
        for icd in vendors.glob("*.icd"):
            with contextlib.suppress(OSError):  # what we cannot read, the loader could not either
                shutil.copyfile(icd, folder / icd.name)
        (folder / "polymask-intel.icd").write_bytes(os.fsencode(driver) + b"\n")
        with _set(VARIABLE, name):
            yield


@contextlib.contextmanager
def named():
    """Let dpctl's loader, which is asked for the first time, find Intel's driver beside others.

    Files that a user has named come first.
    """
    driver, own = library(), os.environ.get(FILES)
    if driver is None:
        yield
        return
    with _set(FILES, os.pathsep.join([*filter(None, [own]), str(driver)])):
        yield


@contextlib.contextmanager
def _set(variable, value):
    """Set a variable for a while, and leave it as it was."""
    before = os.environ.get(variable)
    os.environ[variable] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[variable]
        else:
            os.environ[variable] = before
