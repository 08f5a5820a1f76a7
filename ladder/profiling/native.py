"""Profiles of compiled code: samples from perf, otherwise instructions from callgrind.

Both tools run a twin of the rung, with source line numbers, in a separate process.
"""

import json
import re
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from ladder.profiling import callgrind, tools, twin
from polymask.contract import Unavailable

PERF_S = 2.0  # seconds in which masks are made under perf


@dataclass(frozen=True)
class Share:
    """A function's or a line's part of all samples or instructions."""

    share: float
    name: str
    where: str


@dataclass(frozen=True)
class Native:
    """The shares of functions and lines, the largest first."""

    tool: str  # one of `tools.TOOLS`
    total: int | None  # instructions; None for perf
    functions: list[Share]
    lines: list[Share]  # only lines of the project's sources


def profile(rung, vertices, shape, options, tool):
    """Make masks under a tool; return its `Native`."""
    module = twin.build(rung, "lines")
    if tool == "callgrind":
        options = tools.one_thread(rung, options)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        job = {"key": rung.key, "module": str(module), "vertices": vertices.tolist()}
        job |= {"shape": shape, "options": options, "seconds": PERF_S if tool == "perf" else 0.0}
        (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        child = [sys.executable, "-m", "ladder.profiling.child", str(folder / "job.json")]
        result = {"perf": by_perf, "callgrind": by_callgrind}[tool](child, module, folder)
    # omit lines in Cython's own code and in the compiler's headers
    return replace(result, lines=[line for line in result.lines if source_line(rung, line.name)])


def by_perf(child, module, folder):
    """Sample the child."""
    data = folder / "perf.data"
    tools.must_start([*tools.perf(data), *child], "perf")
    report = ["perf", "report", f"--input={data}", "--stdio", "--no-children", "-q", "-t", "\t"]
    functions = tools.must_start([*report, "-F", "overhead,symbol,dso"], "perf")
    lines = tools.must_start([*report, "-F", "overhead,srcline", f"--dsos={module.name}"], "perf")
    return Native("perf", None, list(shares(functions)), list(shares(lines)))


def shares(text):
    """Read the lines of perf's report."""
    for line in text.splitlines():
        part, *fields = (field.strip() for field in line.split("\t"))
        if re.fullmatch(r"[\d.]+%", part) and fields:
            name, where = fields[0].removeprefix("[.] "), fields[1] if len(fields) > 1 else ""
            yield Share(float(part[:-1]) / 100, readable(name), where)


def by_callgrind(child, module, folder):
    """Count the instructions within `make_mask`; keep the lines of the project's files."""
    out = folder / "callgrind.out"
    command = tools.callgrind(out, "--toggle-collect=*__pyx_pw_*make_mask*")
    tools.must_start([*command, *child], "valgrind")
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
            if (twin.ROOT / file).is_relative_to(twin.ROOT)  # an absolute path is not changed
        ],
    )


def source_line(rung, name):
    """Return the text of ``file:line`` in the rung's file or in csrc; empty if it is unknown."""
    file, _, number = name.rpartition(":")
    rung_file = twin.ROOT / rung.file
    candidates = [rung_file] if rung_file.name == file else (twin.ROOT / "csrc").rglob("*.*")
    files = [candidate for candidate in candidates if candidate.name == file]
    if len(files) != 1 or not number.isdecimal():
        return ""
    lines = files[0].read_text(encoding="utf-8").splitlines()
    return lines[int(number) - 1].strip() if 0 < int(number) <= len(lines) else ""


def readable(name):
    """Convert a function's name in C or C++ to its name in the source.

    ``__pyx_f_6ladder_6cclass_7polygon_7Polygon_fill`` is ladder.cclass.polygon.Polygon.fill.
    """
    # omit arguments and the level of recursion
    name = re.sub(r"(\(|'\d).*", "", name.removeprefix("static "))
    match = re.search(r"__pyx_(?:f|pf|pw|fuse)_(\d.*)", name)
    if not match:
        return name
    text, parts = match[1], []
    while part := re.match(r"(\d+)", text):
        begin, length = part.end(), int(part[1])
        if text[begin + length : begin + length + 1] != "_":
            break  # Cython's own number before the last name
        parts.append(text[begin : begin + length])
        text = text[begin + length + 1 :]
    last = re.sub(r"^\d+", "", text).partition(".")[0]
    return ".".join([*parts, last])
