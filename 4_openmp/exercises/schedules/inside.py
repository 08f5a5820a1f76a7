"""Threads that are busy in the answer's own process, whose clocks `measured` reads."""

import threading
import time

from polymask.contract import Unavailable
from polymask.ladder import registry

try:
    MAKE_MASK, MISSING = registry.get("openmp.prange").load(), ""
except Unavailable as unavailable:
    MAKE_MASK, MISSING = None, str(unavailable)


def missing(module):
    """Return why there is no OpenMP here, or an empty text."""
    return MISSING


def two_threads(module, spun_s):
    """Let two threads be busy, one of them started by the call; return loads and what is right."""

    def spin():
        until = time.thread_time() + spun_s
        while time.thread_time() < until:
            pass

    stop, done = threading.Event(), threading.Event()

    def call():
        spin()
        thread = threading.Thread(target=lambda: (spin(), done.set(), stop.wait()))
        thread.start()
        done.wait()

    spin()  # time that is not the call's
    try:
        return bracketed(module, call)
    finally:
        stop.set()


def scheduled(module, vertices, shape, threads, schedule):
    """Let OpenMP's threads make a mask; return loads and what is right."""

    def call():
        MAKE_MASK(vertices, shape, threads=threads, schedule=schedule)

    call()  # the team is started
    return bracketed(module, call)


def bracketed(module, call):
    """Return what `measured` gives for a call, and how long the process was busy."""
    begun = time.process_time()
    loads = module.measured(call)
    return loads, time.process_time() - begun
