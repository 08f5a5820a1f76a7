"""The entries of the lessons beyond the course, 6 to 9: see `ladder/registry/course.py`."""

from dataclasses import replace
from functools import partial

from ladder.registry import work
from ladder.registry.rung import Rung
from ladder.registry.work import Work
from polymask.common.option_values import rows_by_cols, whole_number

IN_TURN = "handles a pixel at a time, and each waits for the previous one"
ACCUMULATE = f"`logical_xor.accumulate` {IN_TURN}"
# The mask is copied to the host.
OFFLOADED = replace(work.PER_PIXEL_BY_TEAM, launch=work.OFFLOAD, traffic={"pixels": 2})
# Each item of a group compares edges with its row, and then writes pixels.
SCANLINE_BY_GROUP = Work(
    operations={
        "multiply_s": {"edge_rows": 3, "above_rows": 2, "crossings": 9},
        "multiply_vector_s": {"pixels": 1},
    },
    divisions={"divide_s": {"crossings": 1}},
    launch=work.LAUNCH,
    traffic={"pixels": 2},
)

# What several rungs have in common.
cython = partial(Rung, compiled="Cython")
numba = partial(Rung, jit="numba", extra="numba")
numba_gpu = partial(
    Rung, jit="numba", device="cuda", extra="cuda", options={"work_group": rows_by_cols}
)
offload = partial(
    Rung,
    device="offload",
    batch=True,
    options={"device": whole_number},
    first_call="finds the device, and compiles the kernel unless that has been done",
)

RUNGS = (
    numba(
        "numba.njit",
        "6_numba/njit.py",
        "Numba, the plain loop",
        "compile Python just in time; types, and the cost of the first call",
        before="python.tuples",
        changes="library",
        first_call="infers types, and compiles the loop and the rule for this processor",
        work=replace(work.PER_PIXEL, last_edge_first=False),
    ),
    numba(
        "numba.prange",
        "6_numba/prange.py",
        "Numba, rows shared among threads",
        "a parallel loop without a compiler flag; how rows are shared",
        before="numba.njit",
        changes="threads",
        options={"threads": whole_number},
        first_call="starts the threads, and compiles the loop and the rule for this processor",
        work=replace(work.PER_PIXEL_BY_TEAM, last_edge_first=False),
    ),
    numba(
        "numba.guvectorize",
        "6_numba/guvectorize.py",
        "Numba, a kernel per row",
        "write one row; NumPy's broadcasting calls it for all",
        before="numba.prange",
        changes="kernel",
        options={"target": str},
        first_call="compiles the kernel for this processor",
        work=replace(work.PER_PIXEL_BY_TEAM, last_edge_first=False),
    ),
    numba(
        "numba.vectorize",
        "6_numba/vectorize.py",
        "Numba, a ufunc per edge",
        "fuse a dozen passes into one; when parallel is slower",
        before="python.vectorized",
        changes="library",
        options={"target": str},
        first_call="compiles the kernel for this processor",
        work=replace(
            work.PER_PIXEL,
            calls={"array_call_s": {"once": 4, "edges": 1}},
            # For each edge, a byte of each pixel is read and written, and finally for the vertices.
            traffic={"edge_pixels": 2, "pixels": 2},
            last_edge_first=False,
        ),
    ),
    numba_gpu(
        "numba.gpu",  # a module named numba.cuda would be numba-cuda's own
        "6_numba/gpu.py",
        "Numba, a thread per pixel on a GPU",
        "a kernel in Python: grids, blocks, streams, device arrays",
        before="numba.prange",
        changes="device",
        packages=("numba", "numba_cuda"),
        first_call="finds a device, and compiles the kernel for it",
        work=replace(work.ITEM_PER_PIXEL, launch=work.CUDA_LAUNCH, last_edge_first=False),
    ),
    numba_gpu(
        "numba.linked",
        "6_numba/linked.py",
        "Numba, linked with a rule in C",
        "two languages in one kernel: declarations, and a linker that inlines",
        before="numba.gpu",
        changes="language",
        packages=("numba", "numba_cuda", "cffi"),
        first_call="finds a device, compiles rule and kernel for it, and links them",
        work=replace(work.ITEM_PER_PIXEL, launch=work.CUDA_LAUNCH),
    ),
    offload(
        "offload.copied",
        "7_offload/copied.py",
        "offload, plain arrays copied",
        "the parts of an offload runtime: devices, streams, kernels",
        named="ladder.offload.masks.copied",
        before="openmp.prange",
        changes="library",
        work=replace(OFFLOADED, traffic={"pixels": 4}),  # the mask's copies in and out
    ),
    offload(
        "offload.bound",
        "7_offload/bound.py",
        "offload, bound arrays",
        "when data is copied, and when the host waits",
        named="ladder.offload.masks.bound",
        before="offload.copied",
        changes="copies",
        work=OFFLOADED,
    ),
    offload(
        "offload.stream",
        "7_offload/stream.py",
        "offload, two streams",
        "copies during kernels: a batch keeps both busy",
        named="ladder.offload.masks.stream",
        before="offload.bound",
        changes="copies",
        work=OFFLOADED,
    ),
    Rung(
        "sycl.kernel",
        "8_sycl/kernel.py",
        "dpctl, an item per pixel",
        "queues, unified shared memory; one kernel, two compilers",
        before="opencl.pixels",
        changes="library",
        device="sycl",
        extra="sycl",
        packages=("dpctl",),
        options={"memory": str},
        first_call="finds a device, makes a queue and builds the kernel",
        work=replace(work.ITEM_PER_PIXEL, launch=work.SYCL_LAUNCH),
    ),
    cython(
        "sycl.native",
        "8_sycl/native.pyx",
        "dpctl, submitted in Cython",
        "Python objects have an interface in C",
        before="sycl.kernel",
        changes="language",
        device="sycl",
        extra="sycl",
        packages=("dpctl",),
        first_call="finds a device, makes a queue and builds the kernel",
        work=replace(work.ITEM_PER_PIXEL, launch=work.SYCL_LAUNCH, traffic={}),  # nothing is copied
    ),
    Rung(
        "sycl.dpnp_array",
        "8_sycl/dpnp_array.py",
        "dpnp, NumPy on a SYCL device",
        "compute follows data: an array determines the device",
        before="python.vectorized",
        changes="device",
        device="sycl",
        extra="dpnp",
        packages=("dpctl", "dpnp"),
        first_call="finds a device, and loads a kernel for each operator",
    ),
    Rung(
        "scanline.rows",
        "9_scanline/rows.py",
        "scanline in NumPy",
        "crossings per row, then parity: the algorithm beats the machine",
        before="python.vectorized",
        changes="algorithm",
        work=Work(
            operations={"multiply_s": {"pixels": 1}, "multiply_vector_s": {"crossings": 9}},
            divisions={"divide_vector_s": {"crossings": 1}},
            calls={"array_call_s": {"once": 2, "crossing_edges": 12}},
            traffic={"pixels": 2, "crossings": 261},
            rest={
                "arithmetic": ACCUMULATE,
                "memory": ACCUMULATE,
                "calls": "each edge makes small arrays of its rows, and selects from them by index",
            },
        ),
    ),
    cython(
        "scanline.cython",
        "9_scanline/cython.pyx",
        "scanline in Cython",
        "the same algorithm in C: no call and no array for an edge",
        before="scanline.rows",
        changes="language",
        work=Work(
            operations={"multiply_s": {"pixels": 1, "crossings": 9}},
            divisions={"divide_s": {"crossings": 1}},
            traffic={"pixels": 2},
            rest=dict.fromkeys(work.LIMITS, f"the scan {IN_TURN}"),
            terms=("pixels", "crossings"),
        ),
    ),
    cython(
        "scanline.bits",
        "9_scanline/bits.pyx",
        "scanline in C++, 64 pixels a word",
        "bits of a word: one toggle a crossing, parity by shifts",
        before="scanline.cython",
        changes="layout",
        work=Work(
            # A word is read, takes 13 operations, and is written as eight words of bytes.
            operations={"multiply_s": {"crossings": 9, "words": 13 + 8}},
            divisions={"divide_s": {"crossings": 1}},
            traffic={"words": 16},
            rest=dict.fromkeys(work.LIMITS, "looking up each byte's eight pixels is not counted"),
            terms=("pixels", "crossings"),
        ),
    ),
    cython(
        "scanline.engine",
        "9_scanline/engine.pyx",
        "scanline in C++, one thread",
        "no division for a crossing, vector stores, one write per pixel",
        before="scanline.bits",
        changes="tuning",
        work=replace(work.SCANLINE, terms=("pixels", "crossings")),
    ),
    cython(
        "scanline.threads",
        "9_scanline/threads.pyx",
        "scanline in C++, threads",
        "bands: the unit of work fits the cache",
        before="scanline.engine",
        changes="threads",
        options={"threads": whole_number},
        first_call="starts the threads, which stay",
        work=replace(work.SCANLINE, rest=dict.fromkeys(work.LIMITS, work.COMING_LATE)),
    ),
    Rung(
        "scanline.opencl",
        "9_scanline/opencl.py",
        "scanline in PyOpenCL, groups of rows",
        "local memory, atomics, barriers, wide stores",
        before="opencl.pixels",
        changes="algorithm",
        device="opencl",
        extra="opencl",
        packages=("pyopencl",),
        options={"work_group": rows_by_cols},
        first_call="finds a device, makes a context and builds the kernel",
        work=SCANLINE_BY_GROUP,
    ),
    Rung(
        "scanline.cuda",
        "9_scanline/cuda.py",
        "scanline in CuPy, groups of rows",
        "one kernel for two languages; a mask that stays on the device",
        before="scanline.opencl",
        changes="library",
        device="cuda",
        extra="cuda",
        packages=("cupy", "numba", "numba_cuda"),
        options={"work_group": rows_by_cols},
        first_call="finds a device, and compiles the kernel for it",
        leaves=True,
        work=replace(SCANLINE_BY_GROUP, launch=work.CUDA_LAUNCH),
    ),
)
