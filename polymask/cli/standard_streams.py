"""Safe standard streams: a closed stream or pipe does not stop a command."""

import io
import os
import sys

from polymask.common import saving


class SafeFile(io.FileIO):
    """The raw file of standard output or error; bytes that cannot be written are dropped.

    In `polymask mask ... | head`, the pipe is closed early, but the mask must still be written. A
    full disk raises an error for standard output, but only once.
    """

    def __init__(self, number, name=None):
        super().__init__(number, "wb", closefd=False)
        self.name_in_error = name

    def write(self, content):
        """Write bytes; return their number."""
        if not len(content):  # click tests streams in this way
            return 0
        try:
            return super().write(content)
        except OSError as error:
            name, self.name_in_error = self.name_in_error, None
            if name and not isinstance(error, BrokenPipeError):
                raise saving.NotWritten(name, error.errno, error.strerror) from None
            return len(content)


def prepare():
    """Prepare the standard streams for all commands."""
    _open_closed_streams()
    sys.stdout = _safe(sys.stdout, "standard output")
    sys.stderr = _safe(sys.stderr)


def _open_closed_streams():
    """Open streams that are closed, as by a shell's `2>&-` or by pythonw, on the null device.

    In this order, each gets its own descriptor. Otherwise an output file would get it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115, open until exit
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


def _safe(stream, name=None):
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.reconfigure(errors="replace")  # Windows' code pages lack bars and dashes
    is_buffered = isinstance(stream.buffer, io.BufferedWriter)  # false with PYTHONUNBUFFERED
    if type(stream.buffer.raw if is_buffered else stream.buffer) is not io.FileIO:
        return stream  # a Windows console
    stream.flush()
    raw = SafeFile(stream.fileno(), name)
    return io.TextIOWrapper(
        io.BufferedWriter(raw) if is_buffered else raw,
        encoding=stream.encoding,
        errors="replace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
