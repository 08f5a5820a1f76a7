"""Reading all bytes of a file or of standard input, with its name in errors."""

import contextlib
import io
import os
import stat
import sys
from pathlib import Path

from polymask.common.errors import Unavailable

STDIN = Path("-")  # the name of standard input


def called(file):
    """Return the name of a file for errors."""
    return "standard input" if file == STDIN else str(file)


@contextlib.contextmanager
def named(file, bad=ValueError):
    """Put the name of a file at the start of errors, and convert those in `bad` to ValueErrors.

    Errors of missing libraries get it, too.

    Parameters
    ----------
    file : Path or str
        A str is always the name of a file, even "-".
    bad : type, or tuple of types
        Types of errors that the content of the file may cause.
    """
    try:
        yield
    except bad as error:
        raise ValueError(f"{called(file)}: {error}") from None
    except Unavailable as error:
        raise Unavailable(f"{called(file)}: {error.reason}", error.what_to_do) from None
    except MemoryError as error:  # for the sizes in the file
        raise MemoryError(f"{called(file)}: {error}") from None


def content(file):
    """Return all bytes of a file; errors name it, even if the system's errors do not."""
    try:
        if file == STDIN:
            return _to_its_end(sys.stdin.buffer)
        with file.open("rb") as source:
            return _to_its_end(source)
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, called(file)) from None
    except MemoryError:
        raise MemoryError("endless, or too large for memory") from None


def _to_its_end(source):
    """Return all bytes of a stream; refuse a device such as /dev/zero, which has no end."""
    is_device = False
    with contextlib.suppress(io.UnsupportedOperation):  # bytes in memory have no descriptor
        is_device = stat.S_ISCHR(os.fstat(source.fileno()).st_mode) and not source.isatty()
    if is_device and source.read(1 << 16):
        raise ValueError("a device, which may have no end: use a file or a pipe")
    return source.read()
