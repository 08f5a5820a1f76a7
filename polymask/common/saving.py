"""Writing files so that each is whole: an error, Ctrl-C or a kill leaves the old one, or none."""

import contextlib
import errno
import os
import secrets
import shutil
import signal
import tempfile
import threading
from pathlib import Path

FULL = {errno.ENOSPC: "no space left on its disk"}
if hasattr(errno, "EDQUOT"):
    FULL[errno.EDQUOT] = "the disk quota is used up"
ROOM = 2**20  # bytes: with less on their disk a compiler may have failed for that
SOME = 2**16  # bytes: for less nothing is refused before the work, as a mask may be small


class NotWritten(OSError):
    """A file that could not be written; the text says which, why, and what to do."""

    def __init__(self, file, number, reason):
        super().__init__(number, reason, str(file))

    def __str__(self):
        """Return one line, without the number of the error."""
        if self.errno in FULL:
            reason = f"{FULL[self.errno]}: free some, or write elsewhere"
        else:
            reason = self.strerror
        return f"cannot write {self.filename}: {reason}"


def write(file, content, **options):
    """Write a text as UTF-8, or bytes; options as for `replacing`.

    `NotWritten` if there is no room, no permission and so on. What stood in the file before still
    does then.
    """
    with replacing(file, **options) as unfinished:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)


def make_folder(folder):
    """Make a folder, and those above it, unless it is there; `NotWritten` if that cannot be."""
    with _explained(folder):
        folder.mkdir(parents=True, exist_ok=True)


@contextlib.contextmanager
def replacing(file, trusted=True):
    """Hand out a name to write to, which takes the place of `file` at the end; see `write`.

    The name ends as the file's does, for functions that choose a format by it. `trusted` says
    whether what has the name now was put there by the user: a link is written through then, and a
    pipe or a device takes the text. If not, its place is taken, whatever it is.
    """
    file = Path(file)
    if trusted and file.exists() and not file.is_file():
        with _explained(file):
            yield file
        return
    target = through_links(file) if trusted else file
    unfinished = target.with_name(f".{secrets.token_hex(8)}{target.suffix}")
    try:
        with _explained(file), _gone_if_ended(unfinished):
            yield unfinished
            if trusted and target.exists():
                shutil.copymode(target, unfinished)
            os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


def through_links(file):
    """Return where a file is that links lead to; `NotWritten` if they lead in a circle."""
    try:
        found = file.resolve()
        if found.is_symlink():
            raise RuntimeError  # as up to Python 3.12
        return found
    except RuntimeError:
        raise NotWritten(file, errno.ELOOP, os.strerror(errno.ELOOP)) from None
    except OSError as error:  # also where the current folder is gone
        raise NotWritten(file, error.errno, error.strerror) from None


@contextlib.contextmanager
def _gone_if_ended(unfinished):
    """Remove the unfinished file, should a signal end the process. SIGKILL leaves it behind."""
    signals = (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
    deadly = [one for one in signals if one and signal.getsignal(one) == signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        deadly = []

    def end(number, _):
        unfinished.unlink(missing_ok=True)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    for number in deadly:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in deadly:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def _explained(file):
    try:
        yield
    except OSError as error:
        raise NotWritten(file, error.errno, error.strerror or str(error)) from error


def explained(error):
    """Return what an error says; of one of the system's: the file and the reason, no number."""
    if not isinstance(error, OSError) or isinstance(error, NotWritten):
        return str(error)
    if error.errno in FULL:
        return str(NotWritten(error.filename or "here", error.errno, error.strerror))
    if error.errno == errno.ENOENT and error.filename is None and _is_nowhere():
        return "the current folder is gone: cd to one that is there"
    if error.filename is None or not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}"


def _is_nowhere():
    """Whether the folder that this process is in was removed."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def check_room(folder, named=None):
    """Raise `NotWritten` where a folder cannot be written to, or its disk is full.

    It writes and removes a small file: the free space that a system reports may be out of reach.
    The error names what is to be written there, else the folder.
    """
    with _explained(named or folder), tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(SOME))


def check_build(output, *folders):
    """Raise `NotWritten` if a build failed because a disk is full, and not by what was built.

    The compiler's `output` says so. Where it printed nothing, its words may have been lost on the
    same disk: then the free space decides, of the folders and the one of temporary files.
    """
    for number in FULL:
        if os.strerror(number) in output:
            raise NotWritten(folders[0], number, os.strerror(number))
    for folder in (*folders, tempfile.gettempdir()):
        if not output.strip() and shutil.disk_usage(folder).free < ROOM:
            raise NotWritten(folder, errno.ENOSPC, os.strerror(errno.ENOSPC))
