"""Draw when two Python threads compute, with three rungs: the GIL lets them take turns, or not.

python docs/pictures/gil.py             # draw the recorded times
python docs/pictures/gil.py --measure   # record them again, on two idle cores

Each thread records the begin of each call to `make_mask` and the processor time of the call. The
mask of the interpreted rung is computed row by row, because its thread can be suspended anywhere;
the compiled rungs compute a mask in one call. Other programs may use the same cores, so the
shortest of many runs is recorded, in gil.json.
"""

import argparse
import datetime
import importlib
import json
import os
import threading
import time
from pathlib import Path

from polymask.bench import machine
from polymask.ladder import workload
from polymask.report.charts import drawing

DATA = Path(__file__).with_suffix(".json")
RUNGS = {  # the shape of a mask, and the number of calls in each thread
    "python.tuples": ((1, 16), 180),
    "cython.typed": ((300, 300), 1),
    "cclass.polygon": ((700, 700), 1),
}
THREADS = 2
SECONDS = 8  # of runs, for each rung
PAUSE = 1.0  # a longer one between two calls means that the thread was suspended, ms
WIDTH, BAR, STEP, TOP = 400, 18, 78, 30  # pixels of the picture


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


def end(threads):
    """Return the time at which the last thread ends."""
    return max(thread[-1][1] for thread in threads)


def measure():
    """Record the shortest run of each rung in gil.json."""
    rungs = {}
    for key, (shape, calls) in RUNGS.items():
        make_mask = importlib.import_module(f"polymask.{key}").make_mask
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


def recorded():
    """Return the recorded spans of each rung's threads."""
    return json.loads(DATA.read_text(encoding="utf-8"))["rungs"]


@drawing.chart
def draw():
    """Return the figure: for each rung, one bar of computing for each thread."""
    rungs = recorded()
    height = TOP + STEP * len(rungs)
    longest = max(map(end, rungs.values()))
    figure = drawing.figure(WIDTH, height + 38)
    axes = drawing.axes(figure, 60, 10, 0, 38)
    axes.set(xlim=(0, longest), ylim=(height, 0), xlabel="ms", yticks=[])
    axes.spines["left"].set_visible(False)
    axes.text(0, 16, "when each of two Python threads computes", weight="bold")
    for number, (key, threads) in enumerate(rungs.items()):
        top = TOP + STEP * number + 26
        axes.text(0, top - 7, key)
        for thread, record in enumerate(threads):
            y = top + thread * (BAR + 4)
            axes.text(-0.015 * longest, y + 14, f"thread {thread}", ha="right")
            colour = drawing.LIGHT[("blue", "amber")[thread]]
            bars = [(begin, stop - begin) for begin, stop in record]
            axes.broken_barh(bars, (y, BAR), facecolor=colour)
    return figure


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Draw what two threads do.")
    parser.add_argument("--measure", action="store_true", help="record the times again first")
    if parser.parse_args().measure:
        measure()
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
