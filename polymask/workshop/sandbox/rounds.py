"""Calls again and again, or at once: what they take, of time, of memory and of threads."""

import gc
import math
import threading
from time import process_time

import numpy as np

from polymask.workshop.sandbox import questions, usage


def do_curve(child, name, vertices, shape, keep, calls, stops, seconds):
    """Make masks of ever other vertices; say where they lie, and what memory is taken.

    The first `keep` masks are kept, all at once. Ends early after so many seconds.
    """
    function, kept, places = questions.find(child, name), [], set()
    for i in range(keep):
        kept.append(function(vertices + i * 2.0**-20, shape))
        if type(kept[-1]) is np.ndarray:
            places.add(kept[-1].__array_interface__["data"][0])
    distinct = len(places)
    del kept, places
    gc.collect()
    curve, done = [], keep
    for stop in stops:
        stretch = process_time() + seconds / len(stops)
        while done < stop * calls and process_time() < stretch:
            function(vertices + done * 2.0**-20, shape)
            done += 1
        gc.collect()
        curve.append((done, usage.resident()))
    return {"distinct": distinct, "curve": curve}


def do_batch(child, name, calls, shape, lane="yours"):
    """Do calls one after the other, from the judge's next word on.

    Masks are copied into the memory that is shared, each right after its call.
    """
    function, slots = questions.find(child, name, lane=lane), []
    if shape is not None:
        size = math.prod(shape)
        slots = [
            np.ndarray(shape, np.uint8, child.shared, offset=size * i) for i in range(len(calls))
        ]
    values, collecting = [], gc.isenabled()
    gc.disable()
    try:
        child.channel.send({"value": "ready"})
        child.channel.receive()  # the judge's clock begins
        if shape is None:
            for arguments in calls:
                values.append(function(*arguments))
            return values
        for arguments, slot in zip(calls, slots, strict=True):
            got = function(*arguments)
            if type(got) is not np.ndarray or got.shape != shape or got.dtype != np.uint8:
                return {"odd": got}
            slot[...] = got
        return None
    finally:
        if collecting:
            gc.enable()


def do_at_once(child, name, calls):
    """Do several calls, each in a Python thread of its own, begun at the same moment."""
    function = questions.find(child, name)
    begin, results = threading.Barrier(len(calls)), [None] * len(calls)

    def run(i, arguments):
        try:
            begin.wait()
            results[i] = "value", function(*arguments)
        except BaseException as error:
            results[i] = "error", error

    threads = [threading.Thread(target=run, args=one) for one in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for kind, value in results:
        if kind == "error":
            raise value
    return [value for _, value in results]


def do_busy(child, name, arguments, keywords):
    """Call a function; say how many seconds each thread of the process was busy meanwhile."""
    function = questions.find(child, name)
    before = usage.busy_threads()
    value = function(*arguments, **keywords)
    after = usage.busy_threads()
    spent = {pid: seconds - before.get(pid, 0.0) for pid, seconds in after.items()}
    return {"value": value, "busy": sorted(spent.values(), reverse=True)}
