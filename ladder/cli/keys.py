"""Single keys from a POSIX terminal, without Enter."""

import contextlib
import os
import select
import signal
import sys

try:
    import termios
    import tty
except ImportError:  # Windows
    termios = tty = None

END = "\x04"  # Ctrl-D, and the end of the input
ESCAPE = "\x1b"


def available():
    """Whether keys can be read: the process is in the foreground of a terminal."""
    if termios is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:  # a terminal without job control
        return True


@contextlib.contextmanager
def unbuffered():
    """Deliver keys at once and unseen; restore the terminal afterwards, also after SIGTERM.

    Keys that were pressed earlier are dropped.
    """
    fd = sys.stdin.fileno()
    settings = termios.tcgetattr(fd)

    def resume(*_):  # after Ctrl-Z and `fg`: the shell has changed the settings
        if available():
            tty.setcbreak(fd)

    handlers = {signal.SIGTERM: _exit, signal.SIGCONT: resume}
    earlier = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        tty.setcbreak(fd)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, settings)
        for number, handler in earlier.items():
            signal.signal(number, handler)


def _exit(number, _):
    raise SystemExit(128 + number)


def read(seconds):
    """Return the next key, or an empty text if there is none within `seconds`.

    Of a sequence that begins with an escape, as of an arrow key, only the escape is returned.
    """
    fd = sys.stdin.fileno()
    if not select.select([fd], [], [], seconds)[0]:
        return ""
    key = os.read(fd, 1).decode(errors="replace") or END
    if key == ESCAPE and select.select([fd], [], [], 0)[0]:
        os.read(fd, 64)
    return key
