"""The profilers of compiled code, perf and valgrind: their availability and start."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from polymask.contract import Unavailable

TOOLS = ("perf", "callgrind")
SAMPLES_PER_S = 999
TIMEOUT_S = 600.0
MISSING = "sudo apt install valgrind; for perf also: sudo sysctl kernel.perf_event_paranoid=2"


def choose(tool_name=None):
    """Return the given tool if it is available, or the first available one."""
    for tool in (tool_name,) if tool_name else TOOLS:
        if allowed(tool):
            return tool
    name = f"{tool_name} is not" if tool_name else "neither perf nor valgrind is"
    raise Unavailable(f"{name} installed and allowed here", MISSING)


def allowed(tool):
    """Return whether a tool is installed and allowed; run perf to test this."""
    if tool == "callgrind":
        return shutil.which("valgrind") is not None
    if shutil.which("perf") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        return run([*perf(Path(folder, "perf.data")), "true"]).returncode == 0


def perf(data):
    """Return the command that samples by the clock in user space, which most machines allow."""
    return ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", str(SAMPLES_PER_S), "-o", str(data)]


def callgrind(out, *options):
    """Return the command that counts a program's instructions and writes them to `out`."""
    return ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}", *options]


def one_thread(rung, options):
    """Return a rung's options with one thread, as callgrind follows only the calling thread."""
    return {**options, "threads": 1} if "threads" in rung.options else options


def run(command, environment=None):
    """Run a tool, by default in the environment of this process."""
    environment = dict(environment or os.environ)
    environment["OPENBLAS_NUM_THREADS"] = "1"  # do not profile NumPy's threads
    if command[0] == "valgrind" and environment.get("POLYMASK_ISA") == "avx512":
        del environment["POLYMASK_ISA"]  # the processor that valgrind simulates lacks it
    try:
        return subprocess.run(
            command,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(
            f"{command[0]} did not end within {TIMEOUT_S:.0f} s", "choose a smaller --size"
        ) from None


def must_start(command, tool, environment=None):
    """Return the output of a tool; raise `Unavailable` with its last line if it failed."""
    process = run(command, environment)
    if process.returncode:
        last_line = process.stderr.strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
        raise Unavailable(f"{tool} failed: {last_line[0]}")
    return process.stdout
