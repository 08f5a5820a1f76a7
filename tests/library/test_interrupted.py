"""Ctrl-C during a long call to each function: the call stops soon, and the next one works.

Each call would take minutes. A thread sends the signal when the call has computed for a while,
according to the CPU clock of the main thread, which then measures how long the call continues.
Other processes matter only if they delay the sender; a second is enough for that.
"""

import re
import signal
import sys

import pytest
from fresh_python import run

import polymask

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "pthread_kill"), reason="this system has no clocks of threads"
)

PROGRAM = """
import os, signal, sys, threading, time
import numpy as np
import polymask
from ladder import registry
from ladder.registry import reference, workload

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
BUSY = 0.15  # seconds of computing after which the signal comes
rng = np.random.default_rng(3)
many = rng.uniform(0, 3000, (40_000, 24, 2))
image = np.zeros((3000, 3000), np.float32)
tangle, huge = (workload.polygon(400_000, (size, size)) for size in (9000, 60_000))
few = [tangle] * 3
CALLS = {
    "MaskBuffer": lambda n: polymask.MaskBuffer((60_000, 60_000), packed=True).draw(
        huge, threads=n),
    "coco_rle": lambda n: polymask.coco_rle(many, image.shape, threads=n),
    "coco_rle, counts": lambda n: polymask.coco_rle(many, image.shape, compressed=False, threads=n),
    "coco_to_mask": lambda n: polymask.coco_to_mask(dotted),
    "coco_to_rings": lambda n: polymask.coco_to_rings(dotted),
    "contains": lambda n: polymask.contains(tangle, rng.uniform(0, 9000, (500_000, 2)), threads=n),
    "coverage": lambda n: polymask.coverage(tangle, (9000, 9000)),
    "coverage, subpixels": lambda n: polymask.coverage(tangle, (9000, 9000), subpixels=4),
    "label_mask": lambda n: polymask.label_mask(many, image.shape, threads=n),
    "label_runs": lambda n: polymask.label_runs(many, image.shape, threads=n),
    "labels_to_rings": lambda n: polymask.labels_to_rings(noise),
    "mask_to_rings": lambda n: polymask.mask_to_rings(noise),
    "pixel_centroids": lambda n: polymask.pixel_centroids(many, image.shape, threads=n),
    "pixel_counts": lambda n: polymask.pixel_counts(many, image.shape, threads=n),
    "polygon_crops": lambda n: list(polymask.polygon_crops(few, (9000, 9000), threads=n)),
    "polygon_mask": lambda n: polymask.polygon_mask(huge, (60_000, 60_000), packed=True, threads=n),
    "polygon_mask, all_touched": lambda n: polymask.polygon_mask(tangle, (9000, 9000),
                                                                 all_touched=True),
    "polygon_masks": lambda n: polymask.polygon_masks(few, (9000, 9000), threads=n),
    "polygon_statistics": lambda n: polymask.polygon_statistics(many, image, threads=n),
    "polygon_statistics, weights": lambda n: polymask.polygon_statistics(
        many, image, statistics=["median"], weights="coverage", threads=n),
    "rasterize": lambda n: polymask.rasterize(many, image.shape, threads=n),
    "rasterize, add": lambda n: polymask.rasterize(many, image.shape, merge_alg="add", threads=n),
    "rasterize_like": lambda n: polymask.rasterize_like(many, grid, threads=n),
    "scanline.threads": lambda n: registry.get("scanline.threads").load()(
        tangle, (30_000, 30_000), threads=n),
}
threads, names = int(sys.argv[1]), sys.argv[2:]
dotted = [{"size": [999, 1000], "counts": np.ones(999_000, np.int64)}] * 300
if {"mask_to_rings", "labels_to_rings"} & {*names}:
    noise = rng.integers(0, 5, (12_000, 12_000), np.uint8)
if "rasterize_like" in names:
    import xarray
    along = np.arange(3000.0)
    grid = xarray.DataArray(image, {"y": along, "x": along})
polymask.polygon_mask([(1, 1), (9, 2), (4, 8)], (10, 10))  # import all modules and poll once
clock = time.pthread_getcpuclockid(threading.main_thread().ident)


def send(start, times):
    start.wait()
    begin = time.clock_gettime(clock)
    while start.is_set() and time.clock_gettime(clock) - begin < BUSY:
        time.sleep(0.001)
    times.append(begin + BUSY)  # if the call keeps the GIL, this line runs much later
    if start.is_set():
        os.kill(os.getpid(), signal.SIGINT)


vertices = workload.polygon(9, (120, 130))
expected = reference.mask(vertices, (120, 130))
for name in names:
    times, start = [], threading.Event()
    thread = threading.Thread(target=send, args=(start, times))
    thread.start()
    start.set()
    try:
        CALLS[name](threads)
        print(name, "ran to its end")
        start.clear()
    except KeyboardInterrupt:
        delay = time.clock_gettime(clock) - times[0]
        if delay > 1:
            print(name, f"stopped after {delay:.2f} s")
    thread.join()
    for n in (1, 2):
        assert (polymask.polygon_mask(vertices, (120, 130), threads=n) == expected).all()
    assert (polymask.label_mask([vertices], (120, 130), threads=threads) == expected).all()
"""
# The source of each call; calls that share their work among threads, and the others.
CALLS = dict(re.findall(r'^    "(.+?)": lambda n: (.*?)(?=^    "|^})', PROGRAM, re.M | re.S))
SHARED = [name for name, call in CALLS.items() if "threads=n" in call]
OTHER = [name for name in CALLS if name not in SHARED]


def test_every_public_function_is_called_here():
    names = {name.partition(",")[0] for name in CALLS} - {"scanline.threads"}
    assert names == {*polymask.__all__}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("threads", "names"), [(3, SHARED), (1, [*OTHER, "label_mask", "polygon_mask"])]
)
def test_each_call_stops_within_a_second(threads, names):
    """All calls are made in one process, so that the arrays are made once."""
    pytest.importorskip("xarray")
    completed = run("-c", PROGRAM, threads, *names)
    assert completed.returncode == 0, completed.stderr
    assert completed.stdout == ""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(sys, "getallocatedblocks"), reason="needs CPython")
def test_numbers_that_become_python_s_are_interrupted_too():
    """A thread sends the signal when it sees the first of them, and then continues to count.

    After the signal there are hardly any more.
    """
    program = """
import os, signal, sys, threading, time
import numpy as np
import polymask
signal.signal(signal.SIGINT, signal.default_int_handler)
ring, MANY = np.random.default_rng(3).uniform(0, 3000, (24, 2)), 1000


def call(polygons):
    return polymask.coco_rle(polygons, (3000, 3000), compressed=False)


call([ring])  # import all modules
before = sys.getallocatedblocks()
result = call([ring])
blocks_per_ring = sys.getallocatedblocks() - before
begin, end, counts = threading.Event(), threading.Event(), []


def count_rings():
    return (sys.getallocatedblocks() - before) // blocks_per_ring


def send():
    begin.wait()
    while not end.is_set() and count_rings() < 9:
        time.sleep(0.001)
    counts.append(count_rings())
    os.kill(os.getpid(), signal.SIGINT)
    while not end.is_set():
        counts.append(count_rings())
        time.sleep(0.001)


thread = threading.Thread(target=send)
thread.start()
begin.set()
try:
    try:
        call([ring] * MANY)
    finally:
        end.set()
        thread.join()
except KeyboardInterrupt:
    print("stopped", 9 <= counts[0] < MANY and max(counts) < counts[0] + 9 or counts)
"""
    completed = run("-c", program, PYTHONMALLOC="")  # other allocators count no blocks
    assert completed.stdout.strip() == "stopped True", completed.stdout + completed.stderr


def test_a_handler_that_raises_nothing_stops_nothing():
    program = """
import os, signal, threading
import numpy as np
import polymask
signals = []
signal.signal(signal.SIGINT, lambda *_: signals.append(1))
vertices = np.random.default_rng(1).uniform(0, 3000, (2000, 2))
begin = threading.Event()
timer = threading.Thread(target=lambda: (begin.wait(), os.kill(os.getpid(), signal.SIGINT)))
timer.start()
begin.set()
first = polymask.polygon_mask(vertices, (3000, 3000), threads=2)
timer.join()
second = polymask.polygon_mask(vertices, (3000, 3000), threads=1)
print(len(signals), (first == second).all())
"""
    completed = run("-c", program)
    assert completed.stdout.strip() == "1 True", completed.stderr
