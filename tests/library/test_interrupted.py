"""Ctrl-C during a long call of each function: it stops soon, and nothing stops the next.

Each call would take minutes. A thread sends the signal once the call has computed for a while, by
the main thread's own clock, and that clock says how long it went on: what else runs here counts
only where it keeps the sender waiting, and a second is long for that.
"""

import re
import signal
import sys

import pytest
from fresh_python import run

import polymask

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "pthread_kill"), reason="this system has no clock of a thread to read"
)

PROGRAM = """
import os, signal, sys, threading, time
import numpy as np
import polymask
from polymask.ladder import reference, registry, workload

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may start us with it ignored
BUSY = 0.15  # seconds of computing after which the signal comes
rng = np.random.default_rng(3)
many = rng.uniform(0, 3000, (40_000, 24, 2))
image = np.zeros((3000, 3000), np.float32)
tangle = workload.polygon(400_000, (9000, 9000))
few = [tangle] * 3
WIDE = 400_000  # pixels of each run, so that few are checked before any is painted
CALLS = {
    "coco_rle": lambda n: polymask.coco_rle(many, image.shape, threads=n),
    "coco_rle, counts": lambda n: polymask.coco_rle(many, image.shape, compressed=False, threads=n),
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
    "polygon_mask": lambda n: polymask.polygon_mask(tangle, (60_000, 60_000), packed=True,
                                                    threads=n),
    "polygon_mask, all_touched": lambda n: polymask.polygon_mask(tangle, (9000, 9000),
                                                                 all_touched=True),
    "polygon_masks": lambda n: polymask.polygon_masks(few, (9000, 9000), threads=n),
    "polygon_runs": lambda n: polymask.polygon_runs(tangle[:150_000], (9000, 9000)),
    "polygon_statistics": lambda n: polymask.polygon_statistics(many, image, threads=n),
    "rasterize": lambda n: polymask.rasterize(many, image.shape, threads=n),
    "rasterize, add": lambda n: polymask.rasterize(many, image.shape, merge_alg="add", threads=n),
    "rasterize_like": lambda n: polymask.rasterize_like(many, grid, threads=n),
    "runs_to_mask": lambda n: polymask.runs_to_mask(long_runs, (1, WIDE)),
    "scanline.threads": lambda n: registry.get("scanline.threads").load()(
        tangle, (30_000, 30_000), threads=n),
}
name, threads = sys.argv[1], int(sys.argv[2])
if name.endswith("to_rings"):
    noise = rng.integers(0, 2 if name == "mask_to_rings" else 5, (12_000, 12_000), np.uint8)
if name == "runs_to_mask":
    long_runs = np.array([[0], [0], [WIDE]]).repeat(3_000_000, axis=1)
if name == "rasterize_like":
    import xarray
    along = np.arange(3000.0)
    grid = xarray.DataArray(image, {"y": along, "x": along})
polymask.polygon_mask([(1, 1), (9, 2), (4, 8)], (10, 10))  # all is imported, and heard once
clock = time.pthread_getcpuclockid(threading.main_thread().ident)
sent = []
start = threading.Event()


def send():
    start.wait()
    begun = time.clock_gettime(clock)
    while time.clock_gettime(clock) - begun < BUSY:
        time.sleep(0.001)
    sent.append(begun + BUSY)  # a call that keeps Python's lock lets this thread do it much later
    os.kill(os.getpid(), signal.SIGINT)


thread = threading.Thread(target=send)
thread.start()
start.set()
try:
    CALLS[name](threads)
    print("it went on to its end")
except KeyboardInterrupt:
    went_on = time.clock_gettime(clock) - sent[0]
    print("stopped" if went_on < 1 else f"went on for {went_on:.2f} s")
thread.join()
vertices = workload.polygon(9, (120, 130))
right = reference.mask(vertices, (120, 130))
for n in (1, 2):
    assert (polymask.polygon_mask(vertices, (120, 130), threads=n) == right).all()
assert (polymask.label_mask([vertices], (120, 130), threads=threads) == right).all()
"""
# Of each call its text; those that share their work among threads, and the others.
CALLS = dict(re.findall(r'^    "(.+?)": lambda n: (.*?)(?=^    "|^})', PROGRAM, re.M | re.S))
SHARED = [name for name, call in CALLS.items() if "threads=n" in call]
ALONE = [name for name in CALLS if name not in SHARED]


def test_every_public_function_is_called_here():
    tried = {name.partition(",")[0] for name in CALLS} - {"scanline.threads"}
    assert tried == {*polymask.__all__}


@pytest.mark.proof
@pytest.mark.parametrize(
    ("name", "threads"),
    [(name, 3) for name in SHARED] + [(name, 1) for name in [*ALONE, "label_mask", "polygon_mask"]],
)
def test_a_call_stops_within_a_second(name, threads):
    if name == "rasterize_like":
        pytest.importorskip("xarray")
    done = run("-c", PROGRAM, name, threads)
    assert done.stdout.strip() == "stopped", done.stdout + done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.proof
@pytest.mark.skipif(not hasattr(sys, "getallocatedblocks"), reason="CPython tells")
def test_numbers_that_become_python_s_are_interrupted_too():
    """A thread sees the first of them, in a turn of its own, and sends the signal then.

    It goes on looking: after the signal there are hardly more.
    """
    program = """
import os, signal, sys, threading, time
import numpy as np
import polymask
signal.signal(signal.SIGINT, signal.default_int_handler)
one, MANY = np.random.default_rng(3).uniform(0, 3000, (24, 2)), 1000


def call(polygons):
    return polymask.coco_rle(polygons, (3000, 3000), compressed=False)


call([one])  # all is imported
before = sys.getallocatedblocks()
kept = call([one])
of_one = sys.getallocatedblocks() - before
begun, ended, seen = threading.Event(), threading.Event(), []


def made():
    return (sys.getallocatedblocks() - before) // of_one


def send():
    begun.wait()
    while not ended.is_set() and made() < 9:
        time.sleep(0.001)
    seen.append(made())
    os.kill(os.getpid(), signal.SIGINT)
    while not ended.is_set():
        seen.append(made())
        time.sleep(0.001)


thread = threading.Thread(target=send)
thread.start()
begun.set()
try:
    try:
        call([one] * MANY)
    finally:
        ended.set()
        thread.join()
except KeyboardInterrupt:
    print("stopped", 9 <= seen[0] < MANY and max(seen) < seen[0] + 9 or seen)
"""
    done = run("-c", program, PYTHONMALLOC="")  # another one counts no blocks
    assert done.stdout.strip() == "stopped True", done.stdout + done.stderr


def test_a_handler_that_raises_nothing_stops_nothing():
    program = """
import os, signal, threading
import numpy as np
import polymask
seen = []
signal.signal(signal.SIGINT, lambda *_: seen.append(1))
vertices = np.random.default_rng(1).uniform(0, 3000, (2000, 2))
begun = threading.Event()
timer = threading.Thread(target=lambda: (begun.wait(), os.kill(os.getpid(), signal.SIGINT)))
timer.start()
begun.set()
one = polymask.polygon_mask(vertices, (3000, 3000), threads=2)
timer.join()
other = polymask.polygon_mask(vertices, (3000, 3000), threads=1)
print(len(seen), (one == other).all())
"""
    done = run("-c", program)
    assert done.stdout.strip() == "1 True", done.stderr
