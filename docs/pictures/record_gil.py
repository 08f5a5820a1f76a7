"""Record when two Python threads compute, with three rungs.

python docs/pictures/record_gil.py    # on two idle cores

Each thread records the begin of each call to `make_mask` and the processor time of the call. The
mask of the interpreted rung is computed row by row, because its thread can be suspended anywhere;
the compiled rungs compute a mask in one call. Other programs may use the same cores, so the
shortest of many runs is recorded, in gil.json.
"""

import datetime
import importlib
import json
import os
import threading
import time

from gil import DATA, end

from ladder.bench import machine
from ladder.registry import workload

RUNGS = {  # the shape of a mask, and the number of calls in each thread
    "python.tuples": ((1, 16), 180),
    "cython.typed": ((300, 300), 1),
    "cclass.polygon": ((700, 700), 1),
}
THREADS = 2
SECONDS = 8  # of runs, for each rung
PAUSE = 1.0  # a longer one between two calls means that the thread was suspended, ms


def run(make_mask, shape, calls):
    """Return the begin and the processor time of each call in each thread, in ms."""
    polygon, records = workload.polygon(), [[] for _ in range(THREADS)]
    ready = threading.Barrier(THREADS)

    def compute(record):
        ready.wait()
        for _ in range(calls):
            begin, used = time.perf_counter(), time.thread_time()
            make_mask(polygon, shape)
            record.append((1e3 * begin, 1e3 * (time.thread_time() - used)))

    threads = [threading.Thread(target=compute, args=(record,)) for record in records]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(records)


def spans(records):
    """Return [begin, end] of the calls in succession, for each thread, in ms from the start."""
    start, result = records[0][0][0], []
    for record in records:
        merged = []
        for begin, used in record:
            if merged and begin - merged[-1][1] < PAUSE:
                merged[-1][1] = begin + used
            else:
                merged.append([begin, begin + used])
        result.append([[round(t - start, 3) for t in span] for span in merged])
    return result


def measure():
    """Record the shortest run of each rung in gil.json."""
    rungs = {}
    for key, (shape, calls) in RUNGS.items():
        make_mask = importlib.import_module(f"ladder.{key}").make_mask
        stop, runs = time.perf_counter() + SECONDS, []
        while time.perf_counter() < stop:
            runs.append(spans(run(make_mask, shape, calls)))
        rungs[key] = min(runs, key=end)
    data = {
        "processor": machine.cpu_model(),
        "cores": os.cpu_count(),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
    }
    lines = [f'  "{key}": {json.dumps(threads)}' for key, threads in rungs.items()]
    text = json.dumps(data)[:-1] + ', "rungs": {\n' + ",\n".join(lines) + "\n}}\n"
    DATA.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    measure()
