"""Ctrl-C during compiled code, which Python cannot interrupt."""

import contextlib
import signal
import threading


@contextlib.contextmanager
def ends_the_process(rung):
    """Return a context in which Ctrl-C ends the process at once, like a program in C.

    Use it for code that has no data to save. It has no effect on interpreted rungs, which respond
    to Ctrl-C themselves, nor in processes with another signal handler.
    """
    handler = signal.getsignal(signal.SIGINT)
    in_main = threading.current_thread() is threading.main_thread()
    if rung.interpreted or not in_main or handler is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
