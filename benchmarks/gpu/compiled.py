"""Writes what compilers make of the kernels, and how long the device takes for them.

    python -m benchmarks.gpu.compiled FOLDER

For each kernel: its PTX, or the binary of another OpenCL driver; with ptxas its registers, and with
cuobjdump its machine code. Where a GPU works, each kernel's time by the device's clock.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import traceback
from pathlib import Path

from ladder import registry
from ladder.devices import cuda, cuda_linking, opencl
from ladder.registry import workload
from polymask.contract import Unavailable

SIZE, CALLS = 8192, 10
WITHOUT_A_DEVICE = (9, 0)  # compute capability
KERNELS = {
    "numba.cuda": cuda,
    "scanline.cuda": cuda,
    "opencl.pixels": opencl,
    "scanline.opencl": opencl,
}
TOOLKIT = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"])


def capability():
    """Return the compute capability of the GPU, or one to compile for."""
    try:
        return cuda.compute_capability()
    except Unavailable:
        return WITHOUT_A_DEVICE


def numba_codes():
    """Yield file name and content of the kernels that numba-cuda compiles."""
    if not importlib.util.find_spec("numba_cuda"):
        print(f"numba-cuda is not installed: {cuda.HINT}")
        return
    from ladder.numba import gpu, linked

    cc = capability()
    yield "numba.cuda.ptx", cuda_linking.ptx(gpu.polygon_mask, gpu.SIGNATURE, cc).encode()
    yield "numba.linked.ptx", cuda_linking.link(linked.codes(cc), cc, "ptx")


def opencl_codes():
    """Yield file name and content of the kernels that the OpenCL driver compiles."""
    import pyopencl as cl

    from ladder.opencl import pixels
    from ladder.scanline import opencl as scanline

    for name, module in (("opencl.pixels", pixels), ("scanline.opencl", scanline)):
        (binary,) = module.program().get_info(cl.program_info.BINARIES)
        yield f"{name}.{'ptx' if b'.entry' in binary else 'bin'}", binary.rstrip(b"\0")


def write(codes, folder):
    """Write codes to a folder; print what ptxas reports about those in PTX."""
    for name, code in codes():
        file = folder / name
        file.write_bytes(code)
        print(f"{name}: {len(code)} bytes")
        ptxas, cuobjdump = (shutil.which(tool, path=TOOLKIT) for tool in ("ptxas", "cuobjdump"))
        if ptxas and file.suffix == ".ptx":
            cubin = file.with_suffix(".cubin")
            print(run([ptxas, "-v", f"-arch={cuda_linking.arch(capability())}", file, "-o", cubin]))
            if cuobjdump:
                file.with_suffix(".sass").write_text(run([cuobjdump, "-sass", cubin]))


def run(command):
    """Return all that a program prints; an error if it fails."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name}: {done.stdout}")
    return done.stdout


def clock(key, size=SIZE):
    """Print how long a rung's commands take by the device's clock, the least of some calls."""
    rung = registry.get(key)
    make_mask, polygon = rung.load(), workload.polygon(shape=(size, size))
    least = {}
    for _ in range(CALLS):
        events = {}
        make_mask(polygon, (size, size), events=events)
        for one in KERNELS[key].commands(events):
            least[one.name] = min(least.get(one.name, 1e9), one.end - one.start)
    told = ", ".join(f"{name} {1e3 * seconds:.4f} ms" for name, seconds in least.items())
    print(f"{key}, {size} x {size}: {told}")


def registers():
    """Print the registers of the kernel that numba.cuda has launched."""
    from ladder.numba import gpu

    print(f"numba.cuda, as launched: {gpu.polygon_mask.get_regs_per_thread()} registers")


def main(folder):
    """Do each part that can be done here; return whether any of them failed."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [lambda: write(opencl_codes, folder), lambda: write(numba_codes, folder)]
    on_gpu = [key for key, kind in KERNELS.items() if gpu(kind)]
    parts += [lambda key=key: clock(key) for key in on_gpu]
    parts += [registers] if "numba.cuda" in on_gpu else []
    failed = False
    for part in parts:
        try:
            part()
        except Exception:  # the other parts are worth having
            traceback.print_exc()
            failed = True
    return failed


def gpu(kind):
    """Return whether a GPU of a kind of device works here; print why not."""
    try:
        kind.check()
    except Unavailable as unavailable:
        print(unavailable)
        return False
    return not kind.chosen().is_cpu if kind.chosen() else True


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1], "compiled")))
