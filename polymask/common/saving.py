"""Writing files atomically: an error, Ctrl-C or a kill leaves the old file, or none."""

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
ROOM = 2**20  # bytes: with less free space, a full disk may be why a compiler failed
SOME = 2**16  # bytes that must be free before the work, few enough for a small mask


class NotWritten(OSError):
    """A file that could not be written; the message has its name, the reason and what to do."""

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

    Raise `NotWritten` without room, permission and so on. An existing file stays as it was then.
    """
    with replacing(file, **options) as unfinished:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)


def make_folder(folder):
    """Create a folder and its parents, if they do not exist; raise `NotWritten` on failure."""
    with _explain_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)


@contextlib.contextmanager
def replacing(file, trusted=True):
    """Yield the name of a temporary file, which replaces `file` at the end; see `write`.

    It has the suffix of the file, for functions that choose a format by it. `trusted` means that an
    existing file of that name is the user's: a link is followed, and a pipe or a device is written
    to. Otherwise anything of that name is replaced.
    """
    file = Path(file)
    if trusted and file.exists() and not file.is_file():
        with _explain_errors(file):
            yield file
        return
    target = through_links(file) if trusted else file
    unfinished = target.with_name(f".{secrets.token_hex(8)}{target.suffix}")
    try:
        with _explain_errors(file), _remove_if_killed(unfinished):
            yield unfinished
            if trusted and target.exists():
                shutil.copymode(target, unfinished)
            os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


def through_links(file):
    """Return the target of links to a file; raise `NotWritten` if they form a circle."""
    try:
        target = file.resolve()
        if target.is_symlink():
            raise RuntimeError  # as resolve() does up to Python 3.12
        return target
    except RuntimeError:
        raise NotWritten(file, errno.ELOOP, os.strerror(errno.ELOOP)) from None
    except OSError as error:  # also if the current folder does not exist
        raise NotWritten(file, error.errno, error.strerror) from None


@contextlib.contextmanager
def _remove_if_killed(unfinished):
    """Remove the unfinished file if a signal ends the process, except SIGKILL."""
    signals = (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP"))
    deadly = [number for number in signals if number and signal.getsignal(number) == signal.SIG_DFL]
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
def _explain_errors(file):
    try:
        yield
    except OSError as error:
        raise NotWritten(file, error.errno, error.strerror or str(error)) from error


def explained(error):
    """Return an error's message; for an error of the system, the file and the reason."""
    if not isinstance(error, OSError) or isinstance(error, NotWritten):
        return str(error)
    if error.errno in FULL:
        return str(NotWritten(error.filename or "here", error.errno, error.strerror))
    if error.errno == errno.ENOENT and error.filename is None and _is_nowhere():
        return "the current folder does not exist any more: cd to another one"
    if error.filename is None or not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}"


def _is_nowhere():
    """Return whether the current folder was removed."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def check_room(folder, target=None):
    """Raise `NotWritten` if a folder is not writable, or its disk is full.

    It writes and removes a small file, as the free space that a system reports may not be usable.
    The error names the target file, or else the folder.
    """
    with _explain_errors(target or folder), tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(SOME))


def check_build(output, *folders):
    """Raise `NotWritten` if a build failed because a disk is full, not because of its sources.

    The compiler's `output` shows it. If the output is empty, it may have been lost on the same
    disk; then the free space of the folders and of the temporary folder decides.
    """
    for number in FULL:
        if os.strerror(number) in output:
            raise NotWritten(folders[0], number, os.strerror(number))
    for folder in (*folders, tempfile.gettempdir()):
        if not output.strip() and shutil.disk_usage(folder).free < ROOM:
            raise NotWritten(folder, errno.ENOSPC, os.strerror(errno.ENOSPC))
