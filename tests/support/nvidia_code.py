"""Compilation of kernel texts for NVIDIA's GPUs, without one, and checks of the code.

NVRTC compiles CUDA C++ to PTX, the assembly language of all these GPUs, and this to the machine
code of one architecture. A number for which no register is left is spilled: stored in memory.
"""

import re
from dataclasses import dataclass

from ladder.devices import cuda_linking
from polymask.common.kernel_text import CSRC
from polymask.cuda.nvrtc import OPTIONS

USAGE = re.compile(
    r"entry function '(?P<kernel>\w+)'.*?(?P<stores>\d+) bytes spill stores, "
    r"(?P<loads>\d+) bytes spill loads.*?Used (?P<registers>\d+) registers",
    re.DOTALL,
)


@dataclass(frozen=True)
class Usage:
    """The resources of a kernel on an architecture."""

    registers: int  # per thread
    spilled: int  # bytes, stores and loads


@dataclass(frozen=True)
class Compiled:
    """A text compiled for an architecture."""

    ptx: str
    usage: dict  # of each kernel


def texts():
    """Return the names of the files with kernels for CUDA."""
    files = (file for file in CSRC.iterdir() if file.name.endswith(".cl"))
    return sorted(file.name for file in files if '#include "device.h"' in file.read_text())


def architectures():
    """Return the first of each generation that NVRTC compiles for, such as 90 for sm_90."""
    cuda_linking.core()
    from cuda.bindings import nvrtc

    first = {}
    for architecture in sorted(checked(nvrtc.nvrtcGetSupportedArchs())):
        first.setdefault(architecture // 10, architecture)
    return list(first.values())


def compile_text(text, architecture, options=OPTIONS):
    """Compile a text for an architecture; a ValueError has the compiler's messages."""
    cuda_linking.core()
    from cuda.bindings import nvrtc

    more = f"-arch=sm_{architecture}", "--ptxas-options=-v"
    options = [option.encode() for option in (*options, *more)]
    program = checked(nvrtc.nvrtcCreateProgram(text.encode(), b"kernels.cu", 0, [], []))
    try:
        (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
        log = output(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program)
        if status:
            raise ValueError(log)
        ptx = output(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program)
    finally:
        nvrtc.nvrtcDestroyProgram(program)
    usage = {
        match["kernel"]: Usage(int(match["registers"]), int(match["stores"]) + int(match["loads"]))
        for match in USAGE.finditer(log)
    }
    return Compiled(ptx, usage)


def checked(result):
    """Return the value of a call of NVRTC's; raise an error if it failed."""
    status, value = result
    if status:
        raise RuntimeError(f"NVRTC failed: {status.name}")
    return value


def output(size, get, program):
    """Return a text that NVRTC has produced."""
    content = bytearray(checked(size(program)))
    get(program, content)
    return content.rstrip(b"\0").decode()


def assert_exact(ptx):
    """Check that the rule's division rounds as in IEEE 754, and that nothing is fused."""
    assert "div.rn.f64" in ptx
    assert re.search(r"mul(\.rn)?\.f64", ptx)
    assert re.search(r"add(\.rn)?\.f64", ptx)
    assert not re.search(r"\bfma\b|\bmad\.\S*f64|\.ftz|div\.(full|approx)", ptx)
