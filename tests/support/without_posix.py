"""Remove from this process what Windows lacks, then run a command or code.

    python without_posix.py COMMAND ...
    python without_posix.py -c CODE

Modules that check the system's name are imported first: the standard library and other packages.
"""

import multiprocessing.pool  # noqa: F401
import os
import platform  # noqa: F401
import select
import signal
import subprocess
import sys
import tempfile  # noqa: F401
import warnings

import click  # noqa: F401
import numpy as np  # noqa: F401
import PIL.Image  # noqa: F401
import rich.console
import rich.table  # noqa: F401

MODULES = "fcntl resource pwd grp termios tty pty syslog posix readline curses"
FUNCTIONS = {
    os: "chown confstr fchmod fork forkpty getegid geteuid getgid getloadavg getpgid getpgrp "
    "getuid killpg mkfifo nice posix_spawn pread pwrite register_at_fork sched_getaffinity "
    "sched_setaffinity setpgid setsid sysconf uname wait wait3 wait4",
    signal: "SIGALRM SIGCHLD SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1 SIGUSR2 alarm pthread_kill "
    "pthread_sigmask setitimer sigwait",
    select: "poll",
}


def without_proc(event, arguments):
    """Refuse to open files that only Linux has."""
    if event == "open" and str(arguments[0]).startswith("/proc"):
        raise FileNotFoundError(arguments[0])


for name in MODULES.split():
    sys.modules[name] = None
for module, names in FUNCTIONS.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
subprocess.Popen.kill = subprocess.Popen.terminate  # as on Windows
sys.addaudithook(without_proc)
# On Windows text without an explicit encoding is not UTF-8.
warnings.filterwarnings("error", category=EncodingWarning, module="polymask")

if sys.argv[1] == "-c":
    exec(sys.argv[2])
else:
    from polymask.__main__ import main

    main()
