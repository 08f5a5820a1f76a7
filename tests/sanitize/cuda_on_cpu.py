"""Every .cl file, compiled for the CPU with sanitizers: each item is a thread.

A kernel is launched like CuPy's, in a process of its own. cuda_on_cpu.h defines the words of the
files and of csrc/device.h. Buffers and local memory have exactly the sizes that the host gives:
polymask.cuda and scanline.cuda run with NumPy in CuPy's place.
"""

import ctypes
import importlib.util
import io
import math
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest import mock

import numpy as np
from checkouts import ROOT
from sanitize.tools import Finding, Unavailable, need

FILES = {file.name: file for file in (*ROOT.glob("csrc/*.cl"), *ROOT.glob("[0-9]_*/**/*.cl"))}
KERNEL = re.compile(r"^(?:KERNEL|kernel) void (\w+)\(", re.MULTILINE)
SANITIZERS = {"address": "address,undefined,float-cast-overflow", "thread": "thread"}
FLAGS = "-std=c++20 -O1 -g1 -pthread -Wall -Werror -Wno-unknown-pragmas -fno-sanitize-recover=all"
LONGEST = 60  # seconds for a launch: a thread that misses a barrier makes the others wait
ALIGNMENT = 16
OPENCL = """
#define __OPENCL_VERSION__ 120
{}
#undef __OPENCL_VERSION__
#undef POLYMASK_INSIDE_POLYGON_BRANCHLESS_H
"""


class Program:
    """A program of all kernels, such as tiles.cl:draw_masks, with a sanitizer.

    `launched` has the names of those that were launched.
    """

    def __init__(self, sanitizer, folder):
        """Compile it in a folder, if the compiler has the sanitizer, and it runs here."""
        need("g++", "g++")
        self.sanitizer, self.names, self.launched = sanitizer, [], set()
        source, self.file = folder / "kernels.cpp", folder / "kernels"
        source.write_text(self.text(), encoding="utf-8")
        exact = (ROOT / "csrc/engine/exact_flags.txt").read_text(encoding="utf-8").split()
        include = [f"-I{ROOT / 'csrc'}", f"-I{Path(__file__).parent}"]
        flags = [*FLAGS.split(), *exact, f"-fsanitize={SANITIZERS[sanitizer]}", *include]
        built = process(["g++", *flags, source, "-o", self.file])
        if re.search("cannot find|unsupported option", built.stderr):
            raise Unavailable(f"needs the library of g++ for -fsanitize={sanitizer}")
        if built.returncode:
            raise Finding(built.stderr)
        started = process([self.file])
        if "name one of the kernels" not in started.stderr:
            raise Unavailable(f"-fsanitize={sanitizer} does not run here: {started.stderr[:99]}")

    def text(self):
        """Return its text: each file is in a namespace of its own."""
        text, table = '#include "cuda_on_cpu.h"\n', ""
        for name, file in sorted(FILES.items()):
            content = file.read_text(encoding="utf-8")
            for kernel in KERNEL.findall(content):
                self.names.append(f"{name}:{kernel}")
                table += f'{{"{name}:{kernel}", launcher({file.stem}::{kernel})}},\n'
            included = f'#include "{file}"\n'
            if "device.h" not in content:  # it is OpenCL C, for which the rule is another text
                included = OPENCL.format(included)
            text += f"namespace {file.stem} {{\n{included}}}\n"
        return text + f"int main(int n, char **words) {{ return run({{{table}}}, n, words); }}\n"

    def kernel(self, file, name):
        """Return a kernel of a file."""
        return Kernel(self, f"{file}:{name}")

    def polymask_cuda(self, patch):
        """Return polymask.cuda, which launches these kernels."""
        return polymask_cuda(patch, self.kernel)


def polymask_cuda(patch, kernel):
    """Return polymask.cuda with NumPy in CuPy's place; `kernel` takes a file and a name."""
    import polymask.cuda
    from polymask.cuda import nvrtc

    cupy = library()
    for name, module in [*sys.modules.items()]:
        if name.startswith("polymask.cuda") and hasattr(module, "with_device"):
            patch.setattr(module, "with_device", lambda: cupy)
        if name.startswith("polymask.cuda") and hasattr(module, "is_on_device"):
            patch.setattr(module, "is_on_device", lambda array: isinstance(array, Array))
    patch.setattr(nvrtc, "kernel", lambda name: kernel(nvrtc.FILES.get(name, "tiles.cl"), name))
    return polymask.cuda


def scanline_cuda(kernel):
    """Return the rung scanline.cuda with NumPy in CuPy's place; `kernel` is its own."""
    spec = importlib.util.spec_from_file_location("scanline_cuda", ROOT / "9_scanline/cuda.py")
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, cupy=library()):
        spec.loader.exec_module(module)
    module.kernel = lambda: kernel
    return module


def process(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Kernel:
    """A kernel of a built program, which is launched like CuPy's."""

    def __init__(self, program, name):
        self.program, self.name = program, name

    def __call__(self, grid, block, args, *, shared_mem=0):
        """Compute blocks of a grid, of items each; write to the arrays among the arguments."""
        if math.prod(block) > 1024 or max(grid[1:], default=1) > 65535 or shared_mem > 48 << 10:
            raise Finding(f"{self.name}: CUDA refuses the sizes {grid}, {block}, {shared_mem}")
        arrays, arguments = {}, []
        for value in args:
            if isinstance(value, np.ndarray) and value.dtype.names is None:
                array = whole(value)
                number = list(arrays).index(array) if array in arrays else len(arrays)
                arrays[array] = value
                arguments.append(numbers(-1 - number))
            else:  # passed by value
                arguments.append(numbers(value.nbytes) + value.tobytes())
        buffers = [(ctypes.c_char * size).from_address(low) for low, size in arrays]
        given = [
            numbers(*(*grid, 1, 1)[:3], *(*block, 1, 1)[:3], shared_mem, len(buffers)),
            *(numbers(low % ALIGNMENT, size) for low, size in arrays),
            *buffers,
            numbers(len(args)),
            *arguments,
        ]
        self.program.launched.add(self.name)
        done = subprocess.run(
            [self.program.file, self.name], input=b"".join(given),
            capture_output=True, check=False, timeout=LONGEST,
        )  # fmt: skip
        if done.returncode:
            raise Finding(f"{self.name}: {done.stderr.decode(errors='replace')}")
        results = io.BytesIO(done.stdout)
        for buffer in buffers:
            results.readinto(buffer)


def numbers(*values):
    """Return integers as the program reads them."""
    return np.array(values, np.int64).tobytes()


def whole(array):
    """Return the address and the size of an array's memory, from its first to its last element."""
    steps = zip(array.shape, array.strides, strict=True)
    size = array.itemsize + sum((length - 1) * step for length, step in steps)
    return array.ctypes.data, size if array.size else 0


class Array(np.ndarray):
    """An array of the "device"; it has an address like CuPy's."""

    device = SimpleNamespace(id=0)

    @property
    def data(self):
        return SimpleNamespace(ptr=self.ctypes.data)

    def get(self, stream=None, out=None, blocking=True):
        result = np.empty(self.shape, self.dtype) if out is None else out
        np.copyto(result, self)
        return result


def library():
    """Return NumPy in the place of CuPy: the device's memory is the host's."""
    names = "arange", "asarray", "empty", "full", "ones", "zeros"
    made = {name: of_arrays(getattr(np, name)) for name in names}
    cupy = ModuleType("cupy")
    vars(cupy).update(vars(np) | made | {"ndarray": Array, "cuda": mock.MagicMock()})
    cupy.cuda.runtime.getDevice.return_value = 0
    return cupy


def of_arrays(function):
    return lambda *args, **options: function(*args, **options).view(Array)
