"""Ctrl-C during compiled code, which Python cannot interrupt."""

import contextlib
import signal
import threading


@contextlib.contextmanager
def ends_the_process(rung):
    """Return a context in which Ctrl-C ends the process at once, like a program in C.

    It is for code with nothing to lose. Interpreted rungs respond to Ctrl-C themselves and are left
    unchanged, as are processes with other signal handlers.
    """
    before = signal.getsignal(signal.SIGINT)
    ours = threading.current_thread() is threading.main_thread()
    if rung.interpreted or not ours or before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
