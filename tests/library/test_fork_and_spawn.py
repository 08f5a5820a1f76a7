"""Threads and processes of the public functions: when they start, and calls in a child process.

Each test is a separate program, which the time-out ends if it hangs.
"""

import multiprocessing
import os
import sys

import pytest
from cases import folded
from fresh_python import run

from ladder import registry

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

PROGRAM = """
import functools, multiprocessing, os, sys

import numpy as np
import polymask
from ladder.registry import workload

SHAPE = (1080, 1920)  # large enough for several threads
VERTICES = workload.polygon(100, SHAPE)
POINTS = np.random.default_rng(1).uniform(0, 1000, (20_000, 2))
MANY = [VERTICES + i for i in range(60)]


# A call to each function that shares its work among n threads.
IMAGE = polymask.polygon_mask(VERTICES, SHAPE, dtype="u1", threads=1)
threaded = {
    "coco_rle": lambda n: polymask.coco_rle(MANY, SHAPE, threads=n),
    "contains": lambda n: polymask.contains(VERTICES, POINTS, threads=n),
    "label_mask": lambda n: polymask.label_mask(MANY, SHAPE, threads=n),
    "label_runs": lambda n: polymask.label_runs(MANY, SHAPE, threads=n),
    "pixel_centroids": lambda n: polymask.pixel_centroids(MANY, SHAPE, threads=n),
    "pixel_counts": lambda n: polymask.pixel_counts(MANY, SHAPE, threads=n),
    "polygon_crops": lambda n: list(polymask.polygon_crops(MANY, SHAPE, threads=n)),
    "polygon_mask": lambda n: polymask.polygon_mask(VERTICES, SHAPE, threads=n),
    "polygon_mask, packed": lambda n: polymask.polygon_mask(
        VERTICES, SHAPE, packed=True, threads=n
    ),
    "polygon_masks": lambda n: polymask.polygon_masks(MANY, SHAPE, threads=n),
    "polygon_statistics": lambda n: polymask.polygon_statistics(MANY, IMAGE, threads=n),
    "polygon_statistics, median": lambda n: polymask.polygon_statistics(
        MANY, IMAGE, statistics=["median"], threads=n
    )["median"],
    "rasterize": lambda n: polymask.rasterize(MANY, SHAPE, threads=n),
}


def tasks():
    return len(os.listdir("/proc/self/task"))


def results(threads=None):
    for call in threaded.values():
        yield call(threads)
    yield polymask.coverage(VERTICES, SHAPE)
    yield polymask.polygon_mask(VERTICES, SHAPE, all_touched=True)
    yield polymask.mask_to_rings(IMAGE)


def same(first, second):
    np.testing.assert_equal(list(first), list(second))
    return True


def in_child(work):
    child = os.fork()
    if not child:
        code = 99
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""
QUIET = ("-W", "ignore::DeprecationWarning")  # about forks beside threads


def output(program, *arguments, **environment):
    completed = run(*QUIET, "-c", PROGRAM + program, *arguments, **environment)
    assert completed.returncode == 0, completed.stderr
    return completed.stdout.strip()


@linux
def test_importing_starts_no_thread_and_opens_no_device():
    """Threads of NumPy's linear algebra are counted beforehand."""
    code = """
import os, sys
import numpy

def snapshot():
    files = {os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")
             if os.path.exists(f"/proc/self/fd/{fd}")}
    return len(os.listdir("/proc/self/task")), files

before = snapshot()
import polymask
for name in polymask.__all__:
    getattr(polymask, name)
after = snapshot()
heavy = {"pyopencl", "numba", "cupy", "dpctl", "dpnp", "multiprocessing.pool"} & set(sys.modules)
mapped = open("/proc/self/maps").read()
libraries = [name for name in ("libgomp", "libomp", "libiomp", "libOpenCL", "libcuda", "libsycl")
             if name in mapped]
print(after[0] - before[0], after[1] - before[1], heavy, libraries)
"""
    completed = run("-c", code)
    assert completed.stdout.strip() == "0 set() set() []", completed.stdout + completed.stderr


@linux
def test_the_functions_load_no_openmp():
    program = """
for result in results(threads=2):
    pass
mapped = open("/proc/self/maps").read()
print([name for name in ("libgomp", "libomp", "libiomp") if name in mapped])
"""
    assert output(program) == "[]"


@linux
@forks
@pytest.mark.parametrize("child", ["", "in_child"])
def test_a_call_has_the_number_of_threads_of_its_argument(child):
    """Also in a forked child whose parent has threads; the mask does not depend on the number."""
    program = """
def count_threads():
    before = tasks()
    polymask.polygon_mask(VERTICES, SHAPE, threads=4)
    four = tasks()
    polymask.polygon_mask(VERTICES, SHAPE, threads=2)
    return 10 * (four - before) + tasks() - before

polymask.polygon_mask(VERTICES, SHAPE, threads=2)
print(in_child(count_threads) if sys.argv[1:] else count_threads())
"""
    assert output(program, *([child] if child else [])) == ("33" if child else "22")


@pytest.mark.slow
@linux
@forks
def test_functions_take_threads_from_argument_or_environment():
    """Changes of os.environ after the import count, too; a child starts without threads.

    `rasterize_like` calls `rasterize`.
    """
    program = """
import inspect
names = {name.partition(",")[0] for name in threaded} | {"rasterize_like"}
public = map(functools.partial(getattr, polymask), polymask.__all__)
assert names == {f.__name__ for f in public if "threads" in inspect.signature(f).parameters}
polymask.label_mask(MANY, SHAPE, threads=1)  # import all modules, read the environment


def count_threads(call, threads, variable):
    os.environ["OMP_NUM_THREADS"] = variable
    before = tasks()
    call(threads)
    return tasks() - before


for name, call in threaded.items():
    for threads, variable, expected in [(1, "4", 0), (4, "1", 3), (None, "3", 2)]:
        number = in_child(lambda: count_threads(call, threads, variable))
        if number != expected:
            print(name, threads, variable, number)
"""
    assert output(program) == ""


@pytest.mark.slow
@linux  # elsewhere a sleep may last as long as a call
def test_other_threads_go_on_while_a_call_computes():
    """Each function releases the GIL: no thread waits for it until the call ends.

    `rasterize_like` calls `rasterize`; `coco_to_rings` makes a Python object for each ring.
    """
    program = """
import threading, time
SMALL = VERTICES
VERTICES = np.random.default_rng(3).uniform(0, 1900, (200_000, 2))
MANY = [VERTICES[:20_000], VERTICES[20_000:40_000]]
POINTS = POINTS[:500]
IMAGE = np.random.default_rng(2).integers(0, 3, SHAPE, np.uint8)
RLE = polymask.coco_rle(MANY[:1], SHAPE)[0]
calls = {name: functools.partial(call, 1) for name, call in threaded.items()} | {
    "MaskBuffer": lambda: polymask.MaskBuffer(SHAPE).draw(VERTICES),
    "coco_to_mask": lambda: polymask.coco_to_mask([RLE] * 9),
    "coverage": lambda: polymask.coverage(MANY[0], SHAPE),
    "coverage, subpixels": lambda: polymask.coverage(SMALL, SHAPE, subpixels=9),
    "labels_to_rings": lambda: polymask.labels_to_rings(IMAGE, form="ragged"),
    "mask_to_rings": lambda: polymask.mask_to_rings(IMAGE, form="ragged"),
    "polygon_mask, all_touched": lambda: polymask.polygon_mask(
        VERTICES[:5000], SHAPE, all_touched=True
    ),
}


def longest_wait(call):
    thread, times = threading.Thread(target=call), [time.perf_counter()]
    thread.start()
    while thread.is_alive():
        time.sleep(0.001)
        times.append(time.perf_counter())
    return max(np.diff(times)) / (times[-1] - times[0])


names = {name.partition(",")[0] for name in calls} | {"coco_to_rings", "rasterize_like"}
assert names == {*polymask.__all__}
sys.setswitchinterval(30)  # Python does not request the GIL meanwhile
for name, call in calls.items():
    if min(longest_wait(call) for _ in range(3)) > 0.7:  # on a busy machine, threads wait as well
        print(name)
"""
    assert output(program) == ""


@linux
def test_the_number_of_threads_is_clamped():
    """The limit is a few threads per processor; more are useless."""
    program = """
polymask.polygon_mask(VERTICES, SHAPE, threads=1)
before = tasks()
mask = polymask.polygon_mask(VERTICES, (2_000_000, 10), threads=1024)
limit = 4 * len(os.sched_getaffinity(0))
print(before < tasks() < before + limit, mask.sum() > 0)
"""
    assert output(program) == "True True"


@linux
def test_fewer_threads_do_the_work_where_no_more_can_start():
    program = """
import resource
expected = polymask.polygon_mask(VERTICES, SHAPE, threads=1)
before = tasks()
used = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
resource.setrlimit(resource.RLIMIT_AS, (used + (7 << 20), resource.RLIM_INFINITY))
mask = polymask.polygon_mask(VERTICES, SHAPE, threads=1024)  # a stack is 8 MiB
print(tasks() - before, np.array_equal(mask, expected))
"""
    assert output(program) == "0 True"


@pytest.mark.slow
@forks
@pytest.mark.parametrize(
    ("parent", "threads"), [("masks", ""), ("openmp.prange", "2"), ("numba.prange", "")]
)
def test_all_of_them_answer_in_a_forked_child(parent, threads):
    if "." in parent:
        try:
            registry.get(parent).load()
        except registry.Unavailable as unavailable:
            pytest.skip(f"{parent}: {unavailable}")
    program = """
from ladder import registry
parent, threads = sys.argv[1], int(sys.argv[2] or 0) or None
expected = list(results(threads=1))
if parent == "masks":
    assert same(results(threads=2), expected)
else:
    registry.get(parent).load()(VERTICES, SHAPE, threads=2)
print(in_child(lambda: 0 if same(results(threads), expected) else 3))
"""
    assert output(program, parent, threads, NUMBA_NUM_THREADS="2") == "0"


@pytest.mark.slow
@forks
def test_a_fork_while_threads_compute():
    """The child inherits their locks in any state."""
    program = """
import threading
mask = polymask.polygon_mask(VERTICES, SHAPE)
stop = threading.Event()

def work():
    while not stop.is_set():
        polymask.polygon_mask(VERTICES, SHAPE, threads=3)

workers = [threading.Thread(target=work) for _ in range(3)]
for thread in workers:
    thread.start()
check = lambda: 0 if np.array_equal(polymask.polygon_mask(VERTICES, SHAPE, threads=3), mask) else 3
codes = {in_child(check) for _ in range(50)}
stop.set()
for thread in workers:
    thread.join()
print(codes)
"""
    assert output(program) == "{0}"


@pytest.mark.slow
@folded("method", multiprocessing.get_all_start_methods())
def test_pools_of_processes_answer(method):
    program = """
make_mask = functools.partial(polymask.polygon_mask, VERTICES)
expected = make_mask(SHAPE, threads=2)
with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
    masks = pool.map(make_mask, [SHAPE] * 4)
print(all(np.array_equal(mask, expected) for mask in masks))
"""
    assert output(program, method) == "True"


@pytest.mark.weekly
def test_ten_thousand_calls_of_sixteen_threads():
    """All functions are called, with and without threads of their own."""
    program = """
from concurrent.futures import ThreadPoolExecutor
SHAPE, IMAGE = (70, 90), IMAGE[:70, :90].copy()
VERTICES, POINTS = VERTICES / 20, POINTS[:500] / 20
MANY = [VERTICES + i for i in range(9)]
jobs = [functools.partial(call, n) for call in threaded.values() for n in (None, 1, 2, 5)]
expected = [job() for job in jobs]
order = np.random.default_rng(1).integers(0, len(jobs), 10_000).tolist()
with ThreadPoolExecutor(16) as pool:
    for _ in pool.map(lambda k: np.testing.assert_equal(jobs[k](), expected[k]), order):
        pass
print("the same")
"""
    assert output(program) == "the same"


@pytest.mark.slow
@linux
def test_the_process_ends_while_another_thread_s_call_goes_on():
    """The call takes minutes in threads of its own, which the process does not join at exit."""
    program = """
import threading, time

many = np.random.default_rng(1).uniform(0, 9000, (400_000, 2))
points = np.random.default_rng(2).uniform(0, 9000, (1_000_000, 2))
call = functools.partial(polymask.contains, many, points, threads=2)
threading.Thread(target=call, daemon=True).start()
start = time.process_time()
while time.process_time() < start + 0.5:  # until both compute
    time.sleep(0.01)
print("ended")
"""
    assert output(program) == "ended"
