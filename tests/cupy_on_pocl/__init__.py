"""A stand-in for CuPy whose device is PoCL on this CPU: host code for CUDA runs without a GPU.

`installed` puts the module `cupy` of this package in CuPy's place. Its device memory is memory of
the host, filled with garbage, between red zones that are checked after each kernel. Its arrays
refuse what CuPy's refuse: arguments that are NumPy's arrays, and conversion to them without a call.
Kernels are built as OpenCL C. Each command is done when its call returns, and none is worth timing.
"""

import contextlib
import sys

import pytest


@contextlib.contextmanager
def installed(*users):
    """Put the stand-in in CuPy's place; `users` are modules that may have imported CuPy before.

    They are forgotten at both ends, with their submodules, as is polymask.cuda.
    """
    pytest.importorskip("pyopencl")
    from cupy_on_pocl import cupy, kernels, runtime

    if kernels.device() is None:
        pytest.skip("no PoCL")
    # cupyx is a lazy module, which imports CuPy when something reads its attributes.
    names = "cupy", "cupyx", "polymask.cuda", *users
    before = forget(names)
    runtime.living.clear()
    sys.modules["cupy"], sys.modules["cupy.cuda"] = cupy, cupy.cuda
    try:
        yield cupy
    finally:
        forget(names)
        cupy.launches.clear()
        for name, module in before.items():
            sys.modules[name] = module
            package, leaf = package_of(name)
            if package:
                setattr(package, leaf, module)


def forget(names):
    """Remove modules from sys.modules and from their packages; return them."""
    loaded = [n for n in sys.modules if any(f"{n}.".startswith(f"{name}.") for name in names)]
    removed = {name: sys.modules.pop(name) for name in loaded}
    for name in removed:
        package, leaf = package_of(name)
        if package:
            vars(package).pop(leaf, None)
    return removed


def package_of(name):
    package, _, leaf = name.rpartition(".")
    return sys.modules.get(package), leaf
