"""The limits of the process's container: its CPU quota, and its memory.

A container, such as that of Docker or Kubernetes, is a Linux control group (cgroup). The system
pauses a process that exceeds its CPU quota, and ends a process that exceeds its memory.
"""

import functools
import math
import os


@functools.cache
def cpu_quota():
    """Return the number of cores whose time this process may use, read once.

    Returns
    -------
    float or None
        None without a quota, or in a checkout whose engine is not built.
    """
    engine = _engine()
    return engine and engine.cpu_quota()


def within_quota(number, quota):
    """Return a number of threads or cores, or the quota rounded up if that is less.

    None means an unknown number in an old record, or no quota.
    """
    return number if None in (number, quota) else min(number, math.ceil(quota))


def usable():
    """Return the numbers of the CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def cores():
    """Return the number of cores that this process can keep busy, within its quota."""
    return within_quota(len(usable()), cpu_quota())


def memory_note(error):
    """Return the container's limit of memory as an addition to an error's text.

    Parameters
    ----------
    error : MemoryError
        NumPy's errors have the shape and dtype of an array.

    Returns
    -------
    str
        Empty without a limit, or if the array is within it.
    """
    engine = _engine()
    limit = engine and engine.memory_limit()
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    if limit is None or (dtype is not None and math.prod(shape) * dtype.itemsize <= limit):
        return ""
    return f"; the container's limit is {limit / 2**30:.3g} GiB (cgroup)"


def _engine():
    """Return the module of the engine, or None in a checkout without it."""
    try:
        from polymask.masks import _engine as engine
    except ImportError:
        return None
    return engine
