"""CuPy, imported on demand, in the process that may use it."""

import importlib.util

from polymask.common.error_text import first_line
from polymask.common.run_once import once
from polymask.contract import Unavailable

HINT = "pip install 'polymask[cuda]', for a driver of CUDA 13"


def cupy():
    """Return CuPy, or raise `Unavailable`."""
    if importlib.util.find_spec("cupy") is None:
        raise Unavailable("the package cupy is not installed", HINT)
    try:
        import cupy
    except Exception as error:  # loading NVIDIA's libraries can fail in many ways
        reason = f"{type(error).__name__}: {first_line(error)}"
        raise Unavailable(f"the package cupy cannot be imported ({reason})", HINT) from error
    return cupy


@once
def with_device():
    """Return CuPy; raise `Unavailable` if it finds no GPU, or in a forked child of its user."""
    library = cupy()
    try:
        count = library.cuda.runtime.getDeviceCount()
    except RuntimeError as error:
        reason = f"CUDA finds no device ({first_line(error)})"
        raise Unavailable(reason, "install NVIDIA's driver") from None
    if not count:
        raise Unavailable("CUDA finds no device", "run nvidia-smi to see the driver's state")
    return library
