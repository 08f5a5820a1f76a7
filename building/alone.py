"""A lock for builds, released whenever the process that holds it ends.

As a program, ``alone.py LOCK COMMAND...`` runs the command while it holds the lock.
"""

import os
import subprocess
import sys
import time
from contextlib import contextmanager


@contextmanager
def alone(path, waiting="another build is running here: waiting for it"):
    """Hold the lock; wait, with a message, while another process holds it."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        file = open(path, "a")  # noqa: SIM115, closed below
    except OSError as error:
        sys.exit(f"cannot build here: {error.strerror}: {error.filename}")
    with file:
        if not try_lock(file):
            print(waiting, file=sys.stderr, flush=True)
            while not try_lock(file):
                time.sleep(0.1)
        yield  # closing the file releases the lock


def try_lock(file):
    """Try to take the lock; return whether it was free."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:  # some network file systems have no locks
        sys.exit(f"cannot build here: {file.name} cannot be locked: {error.strerror}")
    return True


if __name__ == "__main__":
    try:
        with alone(sys.argv[1]):
            sys.exit(subprocess.call(sys.argv[2:], close_fds=False))  # make's jobserver stays open
    except KeyboardInterrupt:
        sys.exit(130)  # the command received the signal, too, and reported it
