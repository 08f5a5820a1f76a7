"""Where compiled code spends its time: samples by perf, else instructions by callgrind.

Both look at a twin of the rung with the numbers of its source lines, in a process of its own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from polymask.contract import Unavailable
from polymask.profiling import callgrind, twin

TOOLS = ("perf", "callgrind")
PERF_S = 2.0  # masks are made so long under perf
SAMPLES_PER_S = 999
TIMEOUT_S = 600.0
MISSING = "sudo apt install valgrind; for perf also: sudo sysctl kernel.perf_event_paranoid=2"


@dataclass(frozen=True)
class Share:
    """A part of all samples or instructions."""

    share: float
    name: str
    where: str


@dataclass(frozen=True)
class Native:
    """What was found.

    Attributes
    ----------
    tool : str
        "perf" or "callgrind".
    total : int or None
        How many instructions there were; None by perf.
    functions, lines : list of Share
        The largest first; lines only of the project's sources.
    """

    tool: str
    total: int | None
    functions: list[Share]
    lines: list[Share]


def choose(wanted=None):
    """Return the tool that this machine allows: the wanted one, or the first of all."""
    for tool in (wanted,) if wanted else TOOLS:
        if allowed(tool):
            return tool
    name = f"{wanted} is not" if wanted else "neither perf nor valgrind is"
    raise Unavailable(f"{name} allowed or installed here", MISSING)


def allowed(tool):
    """Return whether a tool is installed and may be used; perf is tried."""
    if tool == "callgrind":
        return shutil.which("valgrind") is not None
    if shutil.which("perf") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        return started([*record(Path(folder, "perf.data")), "true"]).returncode == 0


def profile(rung, vertices, shape, options, tool):
    """Make masks under a tool, and return a `Native`."""
    module = twin.build(rung, "lines")
    if tool == "callgrind" and "threads" in rung.options:
        options = {**options, "threads": 1}  # it follows the thread that calls
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        job = {"key": rung.key, "module": str(module), "vertices": vertices.tolist()}
        job |= {"shape": shape, "options": options, "seconds": PERF_S if tool == "perf" else 0.0}
        (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        child = [sys.executable, "-m", "polymask.profiling.child", str(folder / "job.json")]
        found = {"perf": by_perf, "callgrind": by_callgrind}[tool](child, module, folder)
    # Cython's own code and the compiler's headers have lines too, which nobody here wrote
    return replace(found, lines=[one for one in found.lines if source_line(rung, one.name)])


def by_perf(child, module, folder):
    """Sample the child."""
    data = folder / "perf.data"
    must_start([*record(data), *child], "perf")
    report = ["perf", "report", f"--input={data}", "--stdio", "--no-children", "-q", "-t", "\t"]
    functions = must_start([*report, "-F", "overhead,symbol,dso"], "perf")
    lines = must_start([*report, "-F", "overhead,srcline", f"--dsos={module.name}"], "perf")
    return Native("perf", None, list(shares(functions)), list(shares(lines)))


def record(data):
    """Return how perf samples by the clock, in user space: what most machines allow."""
    return ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", str(SAMPLES_PER_S), "-o", str(data)]


def shares(text):
    """Read the lines of perf's report."""
    for line in text.splitlines():
        part, *rest = (field.strip() for field in line.split("\t"))
        if re.fullmatch(r"[\d.]+%", part) and rest:
            name = rest[0].removeprefix("[.] ")
            yield Share(float(part[:-1]) / 100, readable(name), rest[1] if len(rest) > 1 else "")


def by_callgrind(child, module, folder):
    """Count the instructions within `make_mask`; of lines, those below the project's folder."""
    out = folder / "callgrind.out"
    command = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}"]
    command.append("--toggle-collect=*__pyx_pw_*make_mask*")
    must_start([*command, *child], "valgrind")
    functions, lines = callgrind.read(out.read_text(encoding="utf-8", errors="replace"))
    total = functions.total()
    if not total:
        raise Unavailable("callgrind counted no instruction of the rung", "try --tool perf")
    return Native(
        "callgrind",
        total,
        [Share(n / total, readable(f), Path(o).name) for (f, o), n in functions.most_common()],
        [
            Share(n / total, f"{Path(file).name}:{line}", file)
            for (file, line), n in lines.most_common()
            if is_ours(file)
        ],
    )


def is_ours(file):
    """Return whether a file that callgrind names is one of the project's sources."""
    place = twin.ROOT / file  # the file itself where it is absolute
    return place.is_relative_to(twin.ROOT) and place.is_file()


def started(command):
    """Run a profiler."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # NumPy's threads would be seen too
    if command[0] == "valgrind" and os.environ.get("POLYMASK_ISA") == "avx512":
        del environment["POLYMASK_ISA"]  # which valgrind's processor does not have
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
            f"{command[0]} did not end within {TIMEOUT_S:.0f} s", "give a smaller --size"
        ) from None


def must_start(command, tool):
    """Return what a profiler prints; raise `Unavailable` with its last line if it failed."""
    done = started(command)
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
        raise Unavailable(f"{tool} failed: {said[0]}")
    return done.stdout


def source_line(rung, name):
    """Return the text of ``file:line``, of the rung's file or one in csrc; empty if not found."""
    file, _, number = name.rpartition(":")
    own = twin.ROOT / rung.file
    places = [own] if own.name == file else (twin.ROOT / "csrc").rglob("*.*")
    found = [place for place in places if place.name == file]
    if len(found) != 1 or not number.isdecimal():
        return ""
    lines = found[0].read_text(encoding="utf-8").splitlines()
    return lines[int(number) - 1].strip() if 0 < int(number) <= len(lines) else ""


def readable(name):
    """Write a function's name as it stands in the source, where Cython or C++ spelled it anew.

    ``__pyx_f_8polymask_6cclass_7polygon_7Polygon_fill`` is polymask.cclass.polygon.Polygon.fill.
    """
    name = re.sub(r"(\(|'\d).*", "", name.removeprefix("static "))  # no arguments, no recursion
    found = re.search(r"__pyx_(?:f|pf|pw|fuse)_(\d.*)", name)
    if not found:
        return name
    rest, parts = found[1], []
    while part := re.match(r"(\d+)", rest):
        begin, length = part.end(), int(part[1])
        if rest[begin + length : begin + length + 1] != "_":
            break  # a number that Cython put before the last name
        parts.append(rest[begin : begin + length])
        rest = rest[begin + length + 1 :]
    last = re.sub(r"^\d+", "", rest).partition(".")[0]
    return ".".join([*parts, last])
