"""Every kernel at about 32 x 32, on whatever device is there: a program for `oclgrind`.

A kernel is named by the file that it stands in: `--list` prints all names, others are run. Where a
kernel lets them, work-groups jut out of the image. test_sanitize.py holds that no file is left out.
"""

import ast
import importlib.util
import sys

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
X = POLYGON[:, 0].copy()
RANDOM = np.random.default_rng(0)


def module(file):
    """Import a file of the checkout that is in no package."""
    spec = importlib.util.spec_from_file_location((ROOT / file).stem, ROOT / file)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


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


def spin():
    """Let each item count for a while."""
    source = text("5_opencl/exercises/events/check.py", "KERNEL")
    got = launched(source, "spin", (SIDE,), np.zeros(SIDE, np.float32), np.int32(40))
    np.testing.assert_allclose(got, 2.0, rtol=1e-6)


def empty():
    """Launch the kernel that does nothing, for the time it takes."""
    opencl_commands.launch(opencl.device())["round_trip_s"]()


def invert():
    """Invert a mask whose rows are longer than the image, by work-groups that jut out of it."""
    exercise = module("5_opencl/exercises/rounding/rounding.py")
    context, pitch = cl.Context([opencl.device()]), SIDE + 3
    h_mask = RANDOM.integers(0, 2, (SIDE, pitch), np.uint8)
    expected = h_mask.copy()
    expected[:, :SIDE] = 1 - expected[:, :SIDE]
    queue = cl.CommandQueue(context)
    d_mask = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=h_mask)
    exercise.invert(queue, d_mask, SHAPE, pitch, GROUP)
    cl.enqueue_copy(queue, h_mask, d_mask)
    same(h_mask, expected)


def add():
    """Add two vectors of no whole number of work-groups."""
    exercise = module("5_opencl/exercises/vector_add/vector_add.py")
    a, b = RANDOM.random((2, SIDE * SIDE - 5), np.float32)
    same(exercise.add(a, b), a + b)


def either():
    """Join two masks."""
    exercise = module("5_opencl/exercises/elementwise/elementwise.py")
    same(exercise.either(MASK, MASK.T.copy()), MASK ^ MASK.T)


def area():
    """Count the pixels of a mask."""
    assert module("5_opencl/exercises/area/area.py").area(MASK) == MASK.sum()


def scan():
    """Fill a mask from its toggles."""
    toggles = RANDOM.integers(0, 2, SHAPE, np.uint8)
    exercise = module("5_opencl/exercises/scan/scan.py")
    same(exercise.fill(toggles), np.bitwise_xor.accumulate(toggles, axis=1))


def moving():
    """Move a polygon on the device."""
    steps = np.array([(1.0, 2.0), (-3.5, 0.25)])
    got = module("7_offload/exercises/bind_once/bind_once.py").masks(POLYGON, SHAPE, steps)
    same(got[0], MASK)
    same(got[1], reference.mask(POLYGON + steps[0], SHAPE))


def chain():
    """Multiply three matrices."""
    a, b, c = RANDOM.integers(-9, 9, (3, SIDE, SIDE)).astype(float)
    same(module("7_offload/exercises/chain/chain.py").product(a, b, c), a @ b @ c)


def doubled():
    """Double numbers three times."""
    same(module("7_offload/exercises/double_it/double_it.py").doubled(X, 3), 8 * X)


def combined():
    """Compute with two streams."""
    a, b = RANDOM.random((2, SIDE))
    same(module("7_offload/exercises/two_streams/two_streams.py").combined(a, b), 3 * a + b**2)


def product():
    """Multiply matrices and add a third."""
    a, b, c = RANDOM.integers(-9, 9, (3, SIDE, SIDE)).astype(float)
    got = module("7_offload/exercises/find_bug/dgemm.py").multiply(2.0, a, b, -1.0, c)
    same(got, 2 * a @ b - c)


def of_file(file, name, *arguments):
    """Call a kernel of a file by the runtime of lesson 7."""
    device = offload.devices[0]
    stream = device.get_default_stream()
    stream.invoke(getattr(device.load_library(ROOT / file), name), *arguments)
    stream.sync()


def tiles():
    """Multiply matrices by tiles; no side is a multiple of one."""
    rows, cols, common = 30, 29, 31
    a = RANDOM.integers(-9, 9, (rows, common)).astype(float)
    b = RANDOM.integers(-9, 9, (common, cols)).astype(float)
    c = np.ones((rows, cols))
    of_file("7_offload/examples/dgemm.c", "dgemm", a, b, c, rows, cols, common, 1.0, 0.0)
    same(c, a @ b)


def double_it():
    """Double numbers, as the example does."""
    numbers = RANDOM.random(SIDE + 1)
    expected = 2 * numbers
    of_file("7_offload/examples/double_it.c", "double_it", numbers, len(numbers))
    same(numbers, expected)


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


def same(got, expected):
    """Refuse a result that differs."""
    np.testing.assert_array_equal(got, expected)


# File to what launches its kernels.
KERNELS = {
    "5_opencl/exercises/area/area.py": area,
    "5_opencl/exercises/elementwise/elementwise.py": either,
    "5_opencl/exercises/events/check.py": spin,
    "5_opencl/exercises/rounding/rounding.py": invert,
    "5_opencl/exercises/scan/scan.py": scan,
    "5_opencl/exercises/vector_add/vector_add.py": add,
    "7_offload/examples/asleep.c": asleep,
    "7_offload/examples/dgemm.c": tiles,
    "7_offload/examples/double_it.c": double_it,
    "7_offload/exercises/bind_once/moving.c": moving,
    "7_offload/exercises/chain/multiply.c": chain,
    "7_offload/exercises/double_it/double_it.c": doubled,
    "7_offload/exercises/find_bug/dgemm.c": product,
    "7_offload/exercises/two_streams/halves.c": combined,
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
