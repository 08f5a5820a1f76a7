"""Waiting that Ctrl-C ends: within a driver Python hears of no signal until the driver is done."""

import threading
from concurrent.futures import ThreadPoolExecutor

WAITERS, ASKED = ThreadPoolExecutor(thread_name_prefix="offload-waits"), threading.Lock()


def interruptibly(wait):
    """Call what waits in a driver; Ctrl-C ends the wait, not what is waited for.

    Signals are the main thread's: it lets another thread wait, and waits for that one in Python.
    """
    waiting = None
    # a stream that is collected while a thread is asked may want to wait here as well: not by one
    if threading.current_thread() is threading.main_thread() and ASKED.acquire(blocking=False):
        try:
            waiting = WAITERS.submit(wait)
        except RuntimeError:  # at its end Python starts no threads
            pass
        finally:
            ASKED.release()
    return waiting.result() if waiting else wait()
