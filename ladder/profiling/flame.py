"""A flame graph of a rung. py-spy samples the calls, in Python and in C, and draws the graph."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from ladder.profiling import twin
from polymask.contract import Unavailable

SECONDS = 5  # in which masks are made
SAMPLES_PER_S = 200  # py-spy stops the process for each sample, so more would slow it down
REFUSED = re.compile(r"EPERM|permission denied|operation not permitted", re.IGNORECASE)
INSTALL = "pip install 'polymask[profile]'"
ALLOW = "sudo sysctl kernel.yama.ptrace_scope=1, or start the container with --cap-add=SYS_PTRACE"
PR_SET_PTRACER, ANY = 0x59616D61, ctypes.c_ulong(-1)  # of Linux, in <sys/prctl.h>


def find():
    """Return the file of py-spy: beside this Python, or on the path."""
    folders = (str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath))
    file = shutil.which("py-spy", path=os.pathsep.join(folders))
    if file is None:
        raise Unavailable("the package py-spy is not installed", INSTALL)
    return file


def draw(rung, vertices, shape, options, file, title):
    """Make masks in this process while py-spy samples it; write the graph to an SVG file.

    A compiled rung is built again with source line numbers. py-spy starts after all imports, so
    the graph shows only the masks.
    """
    record = [find(), "record", "--native", f"--rate={SAMPLES_PER_S}", f"--duration={SECONDS}"]
    make_mask = twin.load(rung, twin.build(rung, "lines")) if rung.compiled else rung.load()
    make_mask([(0, 0), (1, 0), (0, 1)], (2, 2), **options)  # do not sample the first call
    if sys.platform == "linux":  # by default, a process may not read the one that started it
        ctypes.CDLL(None).prctl(PR_SET_PTRACER, ANY, 0, 0, 0)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen([*record, f"--output={file}", f"--pid={os.getpid()}"], **pipes) as py_spy:
        while py_spy.poll() is None:
            make_mask(vertices, shape, **options)
        _, errors = py_spy.communicate()
    if py_spy.returncode:
        raise failure(errors)
    graph = Path(file).read_text(encoding="utf-8")  # its title is the command line of py-spy
    graph = re.sub(r'(<text id="title"[^>]*>)[^<]*', rf"\g<1>{title}", graph)
    Path(file).write_text(graph, encoding="utf-8")


def failure(errors):
    """Return the error for the output of a py-spy that failed."""
    if REFUSED.search(errors):
        return Unavailable("the system does not allow py-spy to read this process", ALLOW)
    reason = re.search(r"^error: (.*)", errors, re.IGNORECASE | re.MULTILINE)
    return Unavailable(f"py-spy failed: {reason[1] if reason else 'it printed no reason'}")
