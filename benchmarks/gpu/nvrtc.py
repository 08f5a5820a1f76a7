"""Compiles the kernel texts of csrc for NVIDIA's GPUs, without one: registers, spills and loops.

    python -m benchmarks.gpu.nvrtc FOLDER

NVRTC compiles CUDA C++ to PTX, the assembly language of all these GPUs, and this to the machine
code of one architecture. A number for which no register is left is spilled: stored in memory.
"""

import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ladder.devices import cuda_linking
from polymask.common.kernel_text import CSRC, kernel_text
from polymask.contract import Unavailable
from polymask.cuda.nvrtc import OPTIONS

OF_LOOPS = 90  # the architecture whose loops are counted: in PTX they differ little
USAGE = re.compile(
    r"entry function '(?P<kernel>\w+)'.*?(?P<stores>\d+) bytes spill stores, "
    r"(?P<loads>\d+) bytes spill loads.*?Used (?P<registers>\d+) registers",
    re.DOTALL,
)
ENTRY = re.compile(r"^\.visible \.entry (\w+)\(.*?^\{(.*?)^\}", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^(?P<label>\$\w+):|^\s+(?:@\S+\s+)?(?P<opcode>[a-z][\w.]*)\b(?P<operands>.*);")
KINDS = {  # of instructions, and their opcodes in PTX
    "division of doubles": r"div\.\S*f64",
    "division of integers": r"(div|rem)\.[su]",
    "other arithmetic of doubles": r"(add|sub|mul|fma)\.\S*f64",
    "comparison of doubles": r"setp\.\S*f64",
    "global memory": r"(ld|st|atom|red)\.global",
    "shared memory": r"(ld|st|atom|red)\.shared",
    "spilled": r"(ld|st)\.local",
    "branch": r"bra\b",
}


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

    def loops(self):
        """Map each kernel to its innermost loops, as numbers of instructions by opcode."""
        return {kernel: innermost(body) for kernel, body in ENTRY.findall(self.ptx)}


def texts():
    """Return the names of the files with kernels that are one text for OpenCL and CUDA."""
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


def innermost(body):
    """Count the opcodes of the loops in a kernel's PTX that contain no other loop.

    A loop extends from a label to the last branch back to it.
    """
    opcodes, labels, ends = [], {}, {}
    for match in filter(None, map(LINE.match, body.splitlines())):
        if match["label"]:
            labels[match["label"]] = len(opcodes)
            continue
        opcodes.append(match["opcode"])
        start = labels.get(match["operands"].strip())
        if match["opcode"].startswith("bra") and start is not None:
            ends[start] = len(opcodes)
    spans = ends.items()
    return [
        Counter(opcodes[start:end])
        for start, end in spans
        if not any(start <= s and e <= end for s, e in spans if (s, e) != (start, end))
    ]


def described(loop):
    """Return the kinds of a loop's instructions in a line."""
    kinds = {
        kind: sum(count for opcode, count in loop.items() if re.match(pattern, opcode))
        for kind, pattern in KINDS.items()
    }
    counts = ", ".join(f"{count} x {kind}" for kind, count in kinds.items() if count)
    return f"{loop.total()} instructions" + (f": {counts}" if counts else "")


def report(name, folder):
    """Compile a text for all architectures; print the figures, and write its PTX to a folder."""
    compiled = {number: compile_text(kernel_text(name), number) for number in architectures()}
    print(f"{name}: registers, and bytes spilled")
    print(f"{'':16}" + "".join(f"{f'sm_{number}':>12}" for number in compiled))
    for kernel in compiled[OF_LOOPS].usage:
        usages = (code.usage[kernel] for code in compiled.values())
        cells = (f"{f'{usage.registers}, {usage.spilled}':>12}" for usage in usages)
        print(f"{kernel:16}" + "".join(cells))
    for kernel, loops in compiled[OF_LOOPS].loops().items():
        print(f"{kernel}, innermost loops on sm_{OF_LOOPS}:")
        for loop in loops:
            print(f"  {described(loop)}")
    (folder / f"{name}.ptx").write_text(compiled[OF_LOOPS].ptx)


def main(folder):
    """Report each text, if NVRTC is installed; an error in one of them stops the program."""
    try:
        architectures()
    except Unavailable as unavailable:
        print(unavailable)
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name in texts():
        report(name, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1], "compiled"))
