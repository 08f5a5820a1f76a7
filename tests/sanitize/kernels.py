"""Every kernel at about 32 x 32, on whatever device is there: a program for `oclgrind`.

A kernel is named by the file that it stands in: `--list` prints all names, others are run. Where a
kernel lets them, work-groups jut out of the image. test_sanitize.py holds that no file is left out.
"""

import ast
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pyopencl as cl
from checkouts import ROOT

from polymask import offload
from polymask.devices import opencl, opencl_commands, opencl_trial, trial_process
from polymask.ladder import reference, registry, workload

SIDE = 32
SHAPE = (SIDE, SIDE)
GROUP = (5, 7)  # rows and columns: 32 is a multiple of neither
POLYGON = workload.polygon(7, SHAPE)
MASK = reference.mask(POLYGON, SHAPE)
T = MASK.T.copy()
X = POLYGON[:, 0].copy()
RANDOM = np.random.default_rng(0)
A, B = RANDOM.random((2, SIDE * SIDE - 5), np.float32)  # no whole number of work-groups
P, Q = RANDOM.random((2, SIDE))
M, N, O = RANDOM.integers(-9, 9, (3, SIDE, SIDE)).astype(float)  # noqa: E741
TOGGLES = RANDOM.integers(0, 2, SHAPE, np.uint8)
STEPS = np.array([(1.0, 2.0), (-3.5, 0.25)])
MOVED = [MASK, reference.mask(POLYGON + STEPS[0], SHAPE)]

# File of a kernel to what its exercise makes of it, beside what is right.
EXERCISES = {
    "5_opencl/exercises/area/area.py": lambda m: (m.area(MASK), MASK.sum()),
    "5_opencl/exercises/elementwise/elementwise.py": lambda m: (m.either(MASK, T), MASK ^ T),
    "5_opencl/exercises/scan/scan.py": lambda m: (m.fill(TOGGLES), np.cumsum(TOGGLES, axis=1) % 2),
    "5_opencl/exercises/vector_add/vector_add.py": lambda m: (m.add(A, B), A + B),
    "7_offload/exercises/bind_once/moving.c": lambda m: (m.masks(POLYGON, SHAPE, STEPS)[:2], MOVED),
    "7_offload/exercises/chain/multiply.c": lambda m: (m.product(M, N, O), M @ N @ O),
    "7_offload/exercises/double_it/double_it.c": lambda m: (m.doubled(X, 3), 8 * X),
    "7_offload/exercises/find_bug/dgemm.c": lambda m: (
        m.multiply(2.0, M, N, -1.0, O),
        2 * M @ N - O,
    ),
    "7_offload/exercises/two_streams/halves.c": lambda m: (m.combined(P, Q), 3 * P + Q**2),
}


def same(got, expected):
    """Refuse a result that differs."""
    np.testing.assert_array_equal(got, expected)


def module(file):
    """Import a file that is in no package."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def exercise(file):
    """Launch the kernel of an exercise, and hold what it makes against what is right."""
    kernel = ROOT / file
    programs = kernel.with_suffix(".py"), kernel.with_name(f"{kernel.parent.name}.py")
    same(*EXERCISES[file](module(next(filter(Path.is_file, programs)))))


def text(file, name):
    """Return a text that a Python file has under a name, without its imports."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    (found,) = (
        node.value for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == name
    )  # fmt: skip
    return ast.literal_eval(found)


def launched(source, name, global_size, result, *arguments):
    """Build a kernel and launch it; return what it writes into its last argument."""
    context = cl.Context([opencl.device()])
    queue = cl.CommandQueue(context)
    kernel = cl.Kernel(cl.Program(context, trial_process.with_rule(source)).build(), name)
    flags = cl.mem_flags.COPY_HOST_PTR
    given = [
        cl.Buffer(context, flags, hostbuf=one) if isinstance(one, np.ndarray) else one
        for one in arguments
    ]
    d_result = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, result.nbytes)
    kernel(queue, global_size, None, *given, d_result)
    cl.enqueue_copy(queue, result, d_result)
    return result


def rungs(device, **options):
    """Hold the masks of all rungs of a kind of device against the reference."""
    for rung in registry.RUNGS:
        if rung.device == device:
            same(rung.load()(POLYGON, SHAPE, **options), MASK)
            same(rung.load()(POLYGON, SHAPE), MASK)


def rows():
    """Launch the kernel of lesson 8 that computes a row."""
    source = (ROOT / "8_sycl/examples/rows.cl").read_text(encoding="utf-8")
    sizes = np.int64(len(POLYGON)), np.int32(True), np.int64(SIDE), np.int64(SIDE)
    same(launched(source, "polygon_mask", (SIDE,), MASK.copy(), POLYGON, *sizes), MASK)


def number():
    """Number the pixels of an image; the range is larger."""
    source = text("8_sycl/exercises/reversed/numbered.py", "TEXT")
    sizes = np.int64(SIDE), np.int64(SIDE), np.int64(3)
    got = launched(source, "number", (SIDE + 5, SIDE + 3), np.zeros(SHAPE, np.int32), *sizes)
    y, x = np.indices(SHAPE)
    same(got, 3 + 1000 * y + x)


def empty():
    """Launch the kernel that does nothing, for the time it takes."""
    opencl_commands.launch(opencl.device())["round_trip_s"]()


def invert():
    """Invert a mask whose rows are longer than the image, by work-groups that jut out of it."""
    rounding = module(ROOT / "5_opencl/exercises/rounding/rounding.py")
    context, pitch = cl.Context([opencl.device()]), SIDE + 3
    h_mask = RANDOM.integers(0, 2, (SIDE, pitch), np.uint8)
    expected = h_mask.copy()
    expected[:, :SIDE] = 1 - expected[:, :SIDE]
    queue = cl.CommandQueue(context)
    d_mask = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=h_mask)
    rounding.invert(queue, d_mask, SHAPE, pitch, GROUP)
    cl.enqueue_copy(queue, h_mask, d_mask)
    same(h_mask, expected)


def of_file(file, name, *arguments):
    """Call a kernel of a file by the runtime of lesson 7."""
    device = offload.devices[0]
    stream = device.get_default_stream()
    stream.invoke(getattr(device.load_library(ROOT / file), name), *arguments)
    stream.sync()


def tiles():
    """Multiply matrices by tiles; no side is a multiple of one."""
    a, b, c = M[:30, :31].copy(), N[:31, :29].copy(), np.ones((30, 29))
    of_file("7_offload/examples/dgemm.c", "dgemm", a, b, c, 30, 29, 31, 1.0, 0.0)
    same(c, a @ b)


def double_it():
    """Double numbers, as the example does."""
    numbers = P.copy()
    of_file("7_offload/examples/double_it.c", "double_it", numbers, len(numbers))
    same(numbers, 2 * P)


def asleep():
    """Sleep for no time at all, and count it."""
    slept = np.zeros(1, np.int64)
    of_file("7_offload/examples/asleep.c", "asleep", 0, slept)
    assert slept == 1


def nothing():
    """Call the kernel that does nothing."""
    mask = MASK.copy()
    arguments = POLYGON, len(POLYGON), 1, SIDE, 0, mask.size, mask
    of_file("csrc/offload/empty.c", "empty", *arguments)
    same(mask, MASK)


def arrays():
    """Compute with arrays of each type; integers and sums of few are exact."""
    stream = offload.devices[0].get_default_stream()
    for dtype in (np.uint8, np.int32, np.int64, np.uint64, np.float32, np.float64, np.complex128):
        a, b = np.arange(1, 14).astype(dtype), np.full(13, 2).astype(dtype)
        d_a, d_b = stream.bind(a), stream.bind(b)
        for got, expected in (
            (d_a + d_b, a + b),
            (d_a - d_b, a - b),
            (d_a * d_b, a * b),
            (d_a**d_b, a**b),
            (abs(d_a), abs(a)),
            (d_a.reverse(), a[::-1]),
            (stream.copy(a).fill(a[3]), np.full_like(a, a[3])),
        ):
            got.update_host()
            stream.sync()
            np.testing.assert_allclose(got.array, expected, rtol=1e-5)


# File to what launches its kernels.
KERNELS = {file: lambda file=file: exercise(file) for file in EXERCISES} | {
    "5_opencl/exercises/rounding/rounding.py": invert,
    "7_offload/examples/asleep.c": asleep,
    "7_offload/examples/dgemm.c": tiles,
    "7_offload/examples/double_it.c": double_it,
    "8_sycl/examples/rows.cl": rows,
    "8_sycl/exercises/reversed/numbered.py": number,
    "csrc/mask.cl": lambda: rungs("opencl", work_group=GROUP),
    "csrc/scanline.cl": lambda: rungs("opencl", work_group=GROUP),
    "csrc/offload/array.c": arrays,
    "csrc/offload/empty.c": nothing,
    "csrc/offload/mask.c": lambda: rungs("offload"),
    "polymask/devices/opencl_commands.py": empty,
    "polymask/devices/opencl_trial.py": lambda: same(opencl_trial.fails(opencl.device()), ""),
}

if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(KERNELS))
        sys.exit()
    for file in sys.argv[1:]:
        KERNELS[file]()
        print(file, flush=True)
