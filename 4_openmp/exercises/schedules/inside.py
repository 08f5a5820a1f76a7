"""Threads that are busy in the answer's own process, whose clocks `measured` reads."""

import threading
import time

from polymask.contract import Unavailable
from polymask.ladder import registry
from polymask.workshop.sandbox.usage import busy_threads

try:
    MAKE_MASK, MISSING = registry.get("openmp.prange").load(), ""
except Unavailable as unavailable:
    MAKE_MASK, MISSING = None, str(unavailable)


def missing(module):
    """Return why there is no OpenMP here, or an empty text."""
    return MISSING


def two_threads(module, spun_s):
    """Let two threads be busy for so long, the second started by the call; as `bracketed` says."""

    def spin(spun_s):
        until = time.thread_time() + spun_s
        while time.thread_time() < until:
            pass

    stop, done = threading.Event(), threading.Event()

    def call():
        spin(spun_s[0])
        thread = threading.Thread(target=lambda: (spin(spun_s[1]), done.set(), stop.wait()))
        thread.start()
        done.wait()

    spin(spun_s[0])  # time that is not the call's
    try:
        return bracketed(module, call)
    finally:
        stop.set()


def scheduled(module, vertices, shape, threads, schedule):
    """Let OpenMP's threads make a mask; as `bracketed` says."""

    def call():
        MAKE_MASK(vertices, shape, threads=threads, schedule=schedule)

    call()  # the team is started
    return bracketed(module, call)


def bracketed(module, call):
    """Return what `measured` gives for a call, how often it made it, and each thread's seconds."""
    calls = []

    def counted():
        calls.append(call)
        call()

    begun = busy_threads()
    loads = module.measured(counted)
    spent = [seconds - begun.get(number, 0.0) for number, seconds in busy_threads().items()]
    return loads, len(calls), sorted((one for one in spent if one > 0), reverse=True)
