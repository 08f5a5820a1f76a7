"""Every kernel at about 32 x 32, on any available device: a program for `oclgrind`.

A kernel is named by its file: `--list` prints all names, others are run. Where a kernel allows it,
work-groups extend beyond the image. test_sanitize.py checks that every file is included.
"""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pyopencl as cl
from checkouts import ROOT

from ladder import offload, registry
from ladder.devices import opencl, opencl_commands, opencl_trial
from ladder.registry import reference, workload

SIDE = 32
SHAPE = (SIDE, SIDE)
GROUP = (5, 7)  # rows and columns: 32 is a multiple of neither
POLYGON = workload.polygon(7, SHAPE)
MASK = reference.mask(POLYGON, SHAPE)
T = MASK.T.copy()
X = POLYGON[:, 0].copy()
RANDOM = np.random.default_rng(0)
A, B = RANDOM.random((2, SIDE * SIDE - 5), np.float32)  # not a multiple of the work-group
P, Q = RANDOM.random((2, SIDE))
M, N, O = RANDOM.integers(-9, 9, (3, SIDE, SIDE)).astype(float)  # noqa: E741
TOGGLES = RANDOM.integers(0, 2, SHAPE, np.uint8)
STEPS = np.array([(1.0, 2.0), (-3.5, 0.25)])
MOVED = [MASK, reference.mask(POLYGON + STEPS[0], SHAPE)]

# For each file of a kernel: the result of its exercise, and the expected result.
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
    """Raise an AssertionError if a result differs."""
    np.testing.assert_array_equal(got, expected)


def module(file):
    """Import a file outside of packages."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    result = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(result)
    return result


def exercise(file):
    """Launch the kernel of an exercise and compare its result with the expected one."""
    kernel = ROOT / file
    programs = kernel.with_suffix(".py"), kernel.with_name(f"{kernel.parent.name}.py")
    same(*EXERCISES[file](module(next(filter(Path.is_file, programs)))))


def rungs(device, **options):
    """Compare the masks of all rungs for a kind of device with the reference."""
    for rung in registry.RUNGS:
        if rung.device == device:
            same(rung.load()(POLYGON, SHAPE, **options), MASK)
            same(rung.load()(POLYGON, SHAPE), MASK)


def empty():
    """Launch the empty kernel that measures the time of a launch."""
    opencl_commands.launch(opencl.device())["round_trip_s"]()


def invert():
    """Invert a mask in longer rows, with work-groups that extend beyond the image."""
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
    """Call a kernel in a file through the runtime from lesson 7."""
    device = offload.devices[0]
    stream = device.get_default_stream()
    stream.invoke(getattr(device.load_library(ROOT / file), name), *arguments)
    stream.sync()


def tiles():
    """Multiply matrices in tiles; no side is a multiple of a tile."""
    a, b, c = M[:30, :31].copy(), N[:31, :29].copy(), np.ones((30, 29))
    of_file("7_offload/examples/dgemm.c", "dgemm", a, b, c, 30, 29, 31, 1.0, 0.0)
    same(c, a @ b)


def double_it():
    """Double numbers like the example."""
    numbers = P.copy()
    of_file("7_offload/examples/double_it.c", "double_it", numbers, len(numbers))
    same(numbers, 2 * P)


def sleep():
    """Sleep for zero seconds, and count it."""
    slept = np.zeros(1, np.int64)
    of_file("7_offload/examples/asleep.c", "asleep", 0, slept)
    assert slept == 1


def offload_empty():
    """Call the empty kernel."""
    mask = MASK.copy()
    arguments = POLYGON, len(POLYGON), 1, SIDE, 0, mask.size, mask
    of_file("csrc/offload/empty.c", "empty", *arguments)
    same(mask, MASK)


def arrays():
    """Compute with arrays of each type; integers and short sums are exact."""
    stream = offload.devices[0].get_default_stream()
    for dtype in (np.uint8, np.int32, np.int64, np.uint64, np.float32, np.float64, np.complex128):
        a, b = np.arange(1, 14).astype(dtype), np.full(13, 2).astype(dtype)
        d_a, d_b = stream.bind(a), stream.bind(b)
        for got, expected in (
            (d_a + d_b, a + b),
            (d_a - d_b, a - b),
            (d_a * d_b, a * b),
            (d_a**d_b, a**b),
            (d_a / d_b, a / b),
            (-d_a, -a),
            (abs(d_a), abs(a)),
            (d_a.reverse(), a[::-1]),
            (stream.copy(a).fill(a[3]), np.full_like(a, a[3])),
        ):
            got.update_host()
            stream.sync()
            np.testing.assert_allclose(got.array, expected, rtol=1e-5)


# For each file: a function that launches its kernels.
KERNELS = {file: lambda file=file: exercise(file) for file in EXERCISES} | {
    "5_opencl/exercises/rounding/rounding.py": invert,
    "7_offload/examples/asleep.c": sleep,
    "7_offload/examples/dgemm.c": tiles,
    "7_offload/examples/double_it.c": double_it,
    "csrc/mask.cl": lambda: rungs("opencl", work_group=GROUP),
    "csrc/scanline.cl": lambda: rungs("opencl", work_group=GROUP),
    "csrc/offload/array.c": arrays,
    "csrc/offload/empty.c": offload_empty,
    "csrc/offload/mask.c": lambda: rungs("offload"),
    "ladder/devices/opencl_commands.py": empty,
    "ladder/devices/opencl_trial.py": lambda: same(opencl_trial.fails(opencl.device()), ""),
}

if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print("\n".join(KERNELS))
        sys.exit()
    for file in sys.argv[1:]:
        KERNELS[file]()
        print(file, flush=True)
