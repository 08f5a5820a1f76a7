"""Safe standard streams: a closed stream or pipe does not stop a command."""

import io
import os
import sys

from polymask.common import saving


class Listened(io.FileIO):
    """The raw file of standard output or error; bytes that cannot be written are dropped.

    `polymask mask ... | head` closes the pipe, but must still write its mask. A full disk raises an
    error of standard output, once.
    """

    def __init__(self, number, called=None):
        super().__init__(number, "wb", closefd=False)
        self.called = called

    def write(self, content):
        """Write bytes; return how many."""
        if not len(content):  # click tests streams in this way
            return 0
        try:
            return super().write(content)
        except OSError as error:
            called, self.called = self.called, None
            if called and not isinstance(error, BrokenPipeError):
                raise saving.NotWritten(called, error.errno, error.strerror) from None
            return len(content)


def prepare():
    """Prepare the standard streams for all commands."""
    _open_what_is_closed()
    sys.stdout = _listened(sys.stdout, "standard output")
    sys.stderr = _listened(sys.stderr)


def _open_what_is_closed():
    """Open closed streams (by a shell's `2>&-` or under pythonw) on the null device.

    In this order each gets its own descriptor, which an output file would get otherwise.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115, open until exit
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


def _listened(stream, called=None):
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.reconfigure(errors="replace")  # Windows' code pages lack bars and dashes
    is_buffered = isinstance(stream.buffer, io.BufferedWriter)  # false with PYTHONUNBUFFERED
    if type(stream.buffer.raw if is_buffered else stream.buffer) is not io.FileIO:
        return stream  # a console of Windows
    stream.flush()
    beneath = Listened(stream.fileno(), called)
    how = {"line_buffering": stream.line_buffering, "write_through": stream.write_through}
    return io.TextIOWrapper(
        io.BufferedWriter(beneath) if is_buffered else beneath,
        encoding=stream.encoding,
        errors="replace",
        **how,
    )
