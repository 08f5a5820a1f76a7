"""Writing files atomically: after an error, Ctrl-C or a kill, the old file or none is left."""

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
MIN_FREE = 2**20  # bytes: with less free space, a full disk may be why a compiler failed
TEST_SIZE = 2**16  # bytes that must be free before the work: few enough for a small mask


class NotWritten(OSError):
    """The error for a file that could not be written; it has the file, the reason and advice."""

    def __init__(self, file, number, reason):
        super().__init__(number, reason, str(file))

    def __str__(self):
        """Return the message on one line, without the error number."""
        if self.errno in FULL:
            reason = f"{FULL[self.errno]}: free some, or write elsewhere"
        else:
            reason = self.strerror
        return f"cannot write {self.filename}: {reason}"


def write(file, content, **options):
    """Write bytes, or a text as UTF-8; the options are those of `replacing`.

    If there is no space, no permission and so on, raise `NotWritten` and keep an existing file.
    """
    with replacing(file, **options) as unfinished:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)


def make_folder(folder):
    """Create a folder and its parents if they do not exist; raise `NotWritten` on failure."""
    with _explain_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)


@contextlib.contextmanager
def replacing(file, trusted=True):
    """Yield the name of a temporary file that replaces `file` at the end; see `write`.

    It has the suffix of `file`, for functions that choose a format by the suffix. `trusted` means
    that the user chose an existing file of that name: a link is followed, and a pipe or a device is
    written to. Otherwise, anything of that name is replaced.
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
        with contextlib.suppress(OSError):  # on a read-only disk, even if there is no such file
            unfinished.unlink()


def through_links(file):
    """Follow links to a file, and return their target; raise `NotWritten` if they form a circle."""
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
    """Remove the unfinished file if a signal other than SIGKILL ends the process."""
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
    """Return an error's message; for an error from the system, the file and the reason."""
    if not isinstance(error, OSError) or isinstance(error, NotWritten):
        return str(error)
    if error.errno in FULL:
        return str(NotWritten(error.filename or "here", error.errno, error.strerror))
    if error.errno == errno.ENOENT and error.filename is None and _is_nowhere():
        return "the current folder no longer exists: cd to another one"
    if error.filename is None or not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}"


def _is_nowhere():
    """Return whether the current folder has been removed."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False


def check_room(folder, target=None):
    """Raise `NotWritten` if a folder is not writable, or its disk is full.

    It writes and removes a small file, because the free space that a system reports may not be
    usable. The error names the target file, or otherwise the folder.
    """
    with _explain_errors(target or folder), tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(TEST_SIZE))


def check_build(output, *folders):
    """Raise `NotWritten` if a build failed because of a full disk, not because of its sources.

    The compiler's `output` shows the reason. If the output is empty, it may have been lost on the
    same disk: then the free space in the folders and in the temporary folder decides.
    """
    for number in FULL:
        if os.strerror(number) in output:
            raise NotWritten(folders[0], number, os.strerror(number))
    for folder in (*folders, tempfile.gettempdir()):
        if not output.strip() and shutil.disk_usage(folder).free < MIN_FREE:
            raise NotWritten(folder, errno.ENOSPC, os.strerror(errno.ENOSPC))
