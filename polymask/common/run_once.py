"""What a process makes a single time, such as its device."""

import functools
import os
import threading

from polymask.common.errors import Unavailable


def once(function):
    """Decorate a function to run a single time, whichever thread comes first: a device is made.

    What was made before a fork is refused in the child: its driver's threads stayed behind.
    """
    lock = threading.RLock()

    @functools.cache
    def cached():
        return function(), os.getpid()

    @functools.wraps(function)
    def locked():
        with lock:
            made, by = cached()
        if by != os.getpid():
            raise Unavailable(
                "this process was forked from one that had the device, and has none of its threads",
                'start processes by "spawn"',
            )
        return made

    locked.cache_info = cached.cache_info
    return locked
