"""Functions that run once per process, such as the creation of its device."""

import functools
import os
import threading

from polymask.common.errors import Unavailable


def once(function):
    """Decorate a function so that it runs once for all threads of a process.

    A forked child must not use its parent's result, because it lacks the driver's threads.
    """
    lock = threading.RLock()

    @functools.cache
    def cached():
        return function(), os.getpid()

    @functools.wraps(function)
    def locked():
        with lock:
            result, owner = cached()
        if owner != os.getpid():
            raise Unavailable(
                "this process was forked from one that had used the device, and the threads of the "
                "device's runtime do not exist here",
                'use the start method "spawn"',
            )
        return result

    locked.cache_info = cached.cache_info
    return locked
