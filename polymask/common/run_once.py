"""Functions that run once per process, such as the creation of its device."""

import functools
import os
import threading

from polymask.common.errors import Unavailable


def once(function):
    """Decorate a function, such as the creation of a device, to run once for all threads.

    A forked child is refused its parent's result, as it lacks the driver's threads.
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
                "this process was forked from one that had the device, and has none of its threads",
                'start processes by "spawn"',
            )
        return result

    locked.cache_info = cached.cache_info
    return locked
