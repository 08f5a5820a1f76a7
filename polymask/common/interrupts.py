"""Ctrl-C while compiled code computes, which does not hear it."""

import _thread
import contextlib
import contextvars
import functools
import operator
import os
import queue
import signal
import sys
import threading

LONG = 5 * 10**8  # pixels times vertices: a core does some 10^9 in a second
LOOK_S = 0.5  # on Windows a wait hears signals at its end

END = operator.methodcaller("put", None)  # tells a thread, by its queue, to end with this mask

# Threads that wait for their next task, each by its queue. A library that shares loops among
# threads has a team for each thread that calls it: to start one anew takes longer than some masks.
# No other thread is kept: it would go on with the affinity and niceness of its beginning.
_idle = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # they stayed behind


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


def ends_the_call(alike=None):
    """Make a decorator for a `make_mask` that computes without Python's lock: Ctrl-C ends it.

    Python hears a signal in its main thread, between two of its own instructions, and compiled code
    has none until it returns. So another thread makes a mask that takes long, and the main thread
    waits in Python. After Ctrl-C the mask is lost; the other thread still computes it until it is
    done or the process ends.

    Parameters
    ----------
    alike : callable, optional
        Of a rung that shares its rows among threads. What its library is told for one thread, say
        how many there may be, it does not know for the next: called in the main thread with the
        call's options, this returns what tells it in the other one, or None where none are shared.
    """

    def decorate(make_mask):
        @functools.wraps(make_mask)
        def heeding(*arguments, **options):
            if not (_takes_long(*arguments, **options) and _main_thread_listens()):
                return make_mask(*arguments, **options)
            call = functools.partial(make_mask, *arguments, **options)
            return _waited_for(call, alike(**options) if alike else None)

        return heeding

    return decorate


def _takes_long(vertices=(), shape=(), *_arguments, **_options):
    """Return whether a mask is worth a thread; of bad input, not: `make_mask` will say so."""
    try:
        rows, cols = operator.index(shape[0]), operator.index(shape[1])  # no iterator is used up
        one = len(vertices) == 1  # one ring in a list, flat: [[x, y, x, y, ...]]
        return rows * cols * (len(vertices[0]) if one else len(vertices)) > LONG
    except (ArithmeticError, LookupError, NotImplementedError, TypeError, ValueError):
        return False


def _main_thread_listens():
    """Return whether this thread would hear Ctrl-C, and no tool looks at what it calls."""
    if threading.current_thread() is not threading.main_thread():
        return False
    if sys.gettrace() or sys.getprofile():
        return False
    monitoring = getattr(sys, "monitoring", None)  # as of Python 3.12, with places for six tools
    if monitoring and any(map(monitoring.get_tool, range(6))):
        return False
    return callable(signal.getsignal(signal.SIGINT))


def _waited_for(call, prepare):
    """Let another thread call, and return what it returns, or raise what it raises.

    A signal's handler may raise wherever a call ends, a loop goes round, or a function of Python's
    begins. In a `Future` or a `Thread`, which are written in Python, it would leave a lock behind
    that nobody opens; a queue is not. Nor has the block here a loop, or a branch at its end.
    """
    answer, tasks, process = queue.SimpleQueue(), queue.SimpleQueue(), os.getpid()
    context, let_go, found, error = contextvars.copy_context(), END, None, None
    try:
        if prepare and _idle:
            tasks = _idle[-1]
            del _idle[-1]  # what pop() returned would have no name yet when a handler raises
        elif not _start_thread(tasks):
            return call()
        tasks.put((answer, prepare, functools.partial(context.run, call)))
        found = _taken(answer, process)
        if not found:
            return call()
        let_go = _idle.append if prepare else END
        mask, error = found
        if error is not None:
            raise error
        return mask
    finally:
        let_go(tasks)
        del found, error  # which holds this frame


def _taken(answer, process):
    """Wait for an answer; return None where a handler forked, and the thread stayed behind."""
    while os.getpid() == process:
        try:
            return answer.get(timeout=LOOK_S)
        except queue.Empty:
            pass
    return None


def _start_thread(tasks):
    """Start a thread that takes its tasks from a queue; return whether there was one to be had."""

    def work():
        while _done(tasks.get()):
            pass

    try:
        _thread.start_new_thread(work, ())  # the process does not wait for its end
    except RuntimeError as error:
        if "new thread" not in str(error):
            raise
        return False
    return True


def _done(task):
    """Do a task; return whether there was any."""
    if task is None:
        return False
    answer, prepare, call = task
    try:
        if prepare:
            prepare()
        answer.put((call(), None))
    except BaseException as error:  # raised where it is waited for
        answer.put((None, error))
    finally:
        del task, answer, prepare, call  # as above
    return True
