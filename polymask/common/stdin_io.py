"""Reading all bytes of a file, or of standard input; what errors call it."""

import contextlib
import io
import os
import stat
import sys
from pathlib import Path

STDIN = Path("-")  # the name of standard input


def called(file):
    """Return what errors call a file."""
    return "standard input" if file == STDIN else str(file)


@contextlib.contextmanager
def named(file, bad=ValueError):
    """Let errors of what a file holds begin with its name: `bad` ones, as ValueErrors.

    Parameters
    ----------
    file : Path or str
        A text is the name of a file whatever it is, - too.
    bad : type, or tuple of them
        Errors that what the file holds may lead to.
    """
    try:
        yield
    except bad as error:
        raise ValueError(f"{called(file)}: {error}") from None
    except MemoryError as error:  # there is none for what the file says it holds
        raise MemoryError(f"{called(file)}: {error}") from None


def content(file):
    """Return all bytes of a file; errors of reading, which the system leaves nameless, name it."""
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
        raise MemoryError("it has no end, or more bytes than there is memory for") from None


def _to_its_end(source):
    """Return all bytes of a stream; a device such as /dev/zero has no last one."""
    is_device = False
    with contextlib.suppress(io.UnsupportedOperation):  # bytes in memory are no file
        is_device = stat.S_ISCHR(os.fstat(source.fileno()).st_mode) and not source.isatty()
    if is_device and source.read(1 << 16):
        raise ValueError("a device, maybe without an end: a file or a pipe is needed")
    return source.read()
