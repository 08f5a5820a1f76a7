"""A thread of Python's that ticks while the answer makes a mask; called in the answer's process."""

import threading
import time


def ticks(module, vertices, shape):
    """Return the begin and the end of a call, and the times at which another thread could run."""
    heard, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            heard.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    module.make_mask(vertices, shape)
    end = time.perf_counter()
    stop.set()
    thread.join()
    return start, end, heard
