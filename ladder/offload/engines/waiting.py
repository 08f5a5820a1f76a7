"""A wait that Ctrl-C can end, as Python handles no signals during a driver's call."""

import threading
from concurrent.futures import ThreadPoolExecutor

WAITERS, SUBMITTING = ThreadPoolExecutor(thread_name_prefix="offload-waits"), threading.Lock()


def interruptibly(wait):
    """Call `wait`, which waits in a driver; Ctrl-C ends the wait, but not the driver's work.

    The main thread handles signals, so it lets another thread call `wait`, and waits in Python.
    """
    future = None
    # a stream that is garbage-collected during `submit` may wait here, too: without a thread
    if threading.current_thread() is threading.main_thread() and SUBMITTING.acquire(blocking=False):
        try:
            future = WAITERS.submit(wait)
        except RuntimeError:  # Python starts no threads at exit
            pass
        finally:
            SUBMITTING.release()
    return future.result() if future else wait()
