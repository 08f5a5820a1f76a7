"""Ctrl-C while compiled code computes, which does not hear it."""

import contextlib
import signal
import threading


@contextlib.contextmanager
def ends_the_process(rung):
    """Within this, let Ctrl-C end the process at once, as it ends a program in C.

    This is for when nothing is lost yet. Interpreted rungs hear it by themselves, and stay as they
    are; so does a process whose signals are somebody else's business.
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
