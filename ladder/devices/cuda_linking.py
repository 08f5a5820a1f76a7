"""Compilation of kernels without a GPU: to PTX, and to LTO-IR, which is linked with C++ functions.

PTX is the assembly language of all NVIDIA devices. LTO-IR is code before optimization: the linker
sees both sides of a call, and inlines across languages. The linker matches only names: the caller
must make sure that both sides use the same types.
"""

import re
from importlib import resources

from polymask.contract import Unavailable

MASK = "void(float64[:, ::1], boolean, uint8[:, ::1])"  # of a rung's kernel
HINT = "pip install 'polymask[cuda]'"
COLOURS = re.compile(r"\x1b\[[\d;]*m")  # in Numba's messages where colorama is installed
UNRESOLVED = re.compile(r"Unresolved extern function '(\w+)'")
MISMATCH = re.compile(r"With argument\(s\): '(.*?)'.*?\* (\([^\n]*\) -> \S+)", re.DOTALL)


def core():
    """Return cuda-core, the compiler and linker; raise `Unavailable` if it is missing."""
    try:
        import cuda.core
    except ImportError:
        raise Unavailable("the package cuda-core is not installed", HINT) from None
    return cuda.core


def ptx(kernel, cc):
    """Compile a rung's kernel to PTX for compute capability `cc`, such as (9, 0)."""
    return _compile(kernel, MASK, cc, "ptx")


def linked_ptx(rung, cc):
    """Compile the kernel and the C text of numba.linked, and link them to PTX."""
    from numba import cuda

    kernel = rung.calling(cuda.declare_device(rung.NAME, rung.SIGNATURE))
    return link([code_of_kernel(kernel, MASK, cc), code_of_text(rung.DEFINITION, cc)], cc, "ptx")


def code_of_kernel(kernel, signature, cc):
    """Compile a kernel to LTO-IR; a ValueError quotes a call that contradicts a declaration."""
    return _compile(kernel, signature, cc, "ltoir")


def code_of_text(text, cc):
    """Compile CUDA C++, which may include headers of csrc, to LTO-IR."""
    options = core().ProgramOptions(
        arch=arch(cc),
        std="c++17",
        relocatable_device_code=True,
        link_time_optimization=True,
        fma=False,  # masks must be equal to the bit
        include_path=str(resources.files("polymask.csrc")),
    )
    return core().Program(text, "c++", options).compile("ltoir").code


def link(codes, cc, form="cubin"):
    """Link LTO-IR to a "cubin", the device's machine code, or to "ptx"; return the bytes.

    A ValueError names an undefined function. The linker optimizes the code, so it also needs the
    option against fused multiply-add. nvJitLink is called directly, as CUDA 13.0 does not know this
    option in the form that cuda-core's linker passes.
    """
    core()
    from cuda.bindings import nvjitlink

    options = [f"-arch={arch(cc)}", "-lto", "-fma=0", *(["-ptx"] if form == "ptx" else [])]
    linker = nvjitlink.create(len(options), options)
    try:
        for code in codes:
            nvjitlink.add_data(linker, nvjitlink.InputType.LTOIR, code, len(code), "")
        nvjitlink.complete(linker)
        size, get = {
            "cubin": (nvjitlink.get_linked_cubin_size, nvjitlink.get_linked_cubin),
            "ptx": (nvjitlink.get_linked_ptx_size, nvjitlink.get_linked_ptx),
        }[form]
        code = bytearray(size(linker))
        get(linker, code)
        return bytes(code.rstrip(b"\0") if form == "ptx" else code)
    except nvjitlink.nvJitLinkError as error:
        log = bytearray(nvjitlink.get_error_log_size(linker))
        nvjitlink.get_error_log(linker, log)
        text = " ".join(log.rstrip(b"\0").decode(errors="replace").split())
        if missing := UNRESOLVED.search(text):
            text = f"the kernel calls {missing[1]}, which no linked module defines"
        raise ValueError(f"it cannot be linked: {text}") from error
    finally:
        nvjitlink.destroy(linker)


def arch(cc):
    """Return the compiler's name for a compute capability: sm_90 for (9, 0)."""
    return "sm_{}{}".format(*cc)


def _compile(kernel, signature, cc, output):
    from numba import cuda
    from numba.core.errors import TypingError

    try:
        code, _ = cuda.compile(
            kernel.py_func, signature, cc=cc, device=False, abi="numba", output=output
        )
    except TypingError as error:
        if types := MISMATCH.search(COLOURS.sub("", str(error))):
            fact = f"a function is declared as {types[2]}"
            raise ValueError(f"{fact}, and called with {types[1]}") from error
        raise
    return code
