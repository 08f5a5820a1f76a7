"""A wait that Ctrl-C ends: Python handles no signal within a driver's call."""

import threading
from concurrent.futures import ThreadPoolExecutor

WAITERS, ASKED = ThreadPoolExecutor(thread_name_prefix="offload-waits"), threading.Lock()


def interruptibly(wait):
    """Call `wait`, which waits in a driver; Ctrl-C ends the wait, but not the driver's work.

    The main thread handles signals: it lets another thread wait, and waits for that one in Python.
    """
    waiting = None
    # a stream that is collected during `submit` may wait here, too, but without a thread
    if threading.current_thread() is threading.main_thread() and ASKED.acquire(blocking=False):
        try:
            waiting = WAITERS.submit(wait)
        except RuntimeError:  # Python starts no threads at exit
            pass
        finally:
            ASKED.release()
    return waiting.result() if waiting else wait()
