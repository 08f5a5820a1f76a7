"""Messages for the student about exceptions, and about the end of a process."""

import re
import signal

from ladder.workshop import concepts
from ladder.workshop.sandbox import compiler_hints, kernel
from ladder.workshop.sandbox.build import MOST_LINES

FREED_TWICE = re.compile(r"double free detected|double free or corruption \(fasttop\)")
# The C library's messages about overwritten memory between two blocks.
HEAP = re.compile(r"(free|malloc|realloc|munmap_chunk)\(\)?.*:|corrupted|double free|malloc asser")
MISSING = re.compile(r"module '(?!polymask_check)[\w.]+' has no attribute '(\w+)'")
WORD = re.compile(r"^[^/]*\b(?:and|or|not)\b")
KERNEL_WORD = re.compile(
    r"^ *(?:if|while|for) *\(.*\b(?:and|or|not)\b.*\)[ {]*$", re.M
)  # in Python
OPENCL = re.compile(r"\bOpenCL\b|\bPYOPENCL_CTX\b")  # in the message about a missing device


def describe_exception(report, exercise, source=None):
    """Describe the exception that a `Failed` reports, with the line in `source` that raised it."""
    kind, message = report["type"], report["message"]
    if where := report.get("syntax"):
        cause = compiler_hints.of_table(compiler_hints.RAISED, where["message"])
        text = f"{cause or where['message']}\n    {where['text'].strip()}"
        return f"{where['file']}, line {where['line']}: {text}"
    at = report["lines"] or report.get("check", ())
    where = "{}, line {}: ".format(*at[-1]) if at else ""
    if "NotImplementedError" in report["bases"]:
        return where + describe_unwritten(report, exercise, source)
    if (missing := MISSING.fullmatch(message)) and not report["lines"]:
        return f"{exercise.main} has no {missing[1]}"
    if "MemoryError" in report["bases"]:
        limit = f"{exercise.memory_gib:g} GiB"
        return f"{where}the answer needs more memory than a check allows ({limit})"
    if kind == "SystemExit":
        return f"{where}SystemExit({message}) ends the program: return the result instead"
    if "ImportError" in report["bases"] and (
        symbol := re.search(r"undefined symbol: (\w+)", message)
    ):
        if symbol[1].startswith(("GOMP_", "omp_", "__kmpc_")):
            advice = "pass the OpenMP flag to the linker, too"
        else:
            advice = "is its C or C++ source among the sources?"
        return f"the module does not define {symbol[1]}: {advice} {concepts.UNDEFINED}"
    if cause := compiler_hints.of_table(compiler_hints.RAISED, message):
        return f"{where if report['lines'] else ''}{cause}"
    is_bare = kind == "AssertionError" and not message and exercise.uses_opencl and report["lines"]
    if is_bare and "assert" not in source_line(exercise, source, *at[-1]):  # of a ready-made kernel
        return f"{where}{compiler_hints.TO_DEVICE}"
    if "clBuildProgram failed" in message:
        place = re.search(r"error: ([\w.]+):(\d+):", message)
        line = source_line(exercise, source, *place.groups()) if place else ""
        if not place and (match := KERNEL_WORD.search(own_text(exercise, source, exercise.main))):
            line = f"    {match[0].strip()}"
        words = "in C: && for `and`, || for `or`, ! for `not`" if WORD.search(line) else ""
        hints = line, words, compiler_hints.of_unknown_type(message)
        lines = f"{where}the device's compiler rejects it:", kernel.compiler_lines(message), *hints
        return "\n".join(filter(None, lines))
    if cause := compiler_hints.of_unknown_type(message):  # PyOpenCL reads types, too
        return f"{where}{cause}"
    if kind == "OffloadError" and " cannot be compiled:" in message:
        lines = message.replace(f"{source}/", "").splitlines()[:MOST_LINES]
        return "\n".join([where + lines[0], *lines[1:]])
    first = (message.splitlines() or [""])[0]
    return f"{where}{kind}: {first}".removesuffix(": ")


def source_line(exercise, source, file, number):
    """Return a line of a student's file, or an empty text."""
    text = own_text(exercise, source, file)
    return f"    {text.splitlines()[int(number) - 1].strip()}" if text else ""


def own_text(exercise, source, file):
    """Return the text of a student's file, or an empty text."""
    if source is None or file not in exercise.files:
        return ""
    return (source / file).read_text(encoding="utf-8", errors="replace")


def with_type_hint(message, fact, exercise, source):
    """Return `fact` with a hint about the files in `source`, or else `message`, with its advice."""
    offloads = "ladder.offload" in exercise.allows
    if not (exercise.uses_opencl or offloads or exercise.language) or not source.is_dir():
        return message
    hints = dict.fromkeys((".cl", ".cpp"), compiler_hints.INDICES)
    hints[".py"] = compiler_hints.NARROW if offloads else {}
    for file in sorted(file for file in source.rglob("*") if file.suffix in hints):
        text = file.read_text(encoding="utf-8", errors="replace")
        cause = compiler_hints.of_table(hints[file.suffix], text)
        if cause := cause or (not offloads and compiler_hints.of_vector(text)):
            return f"{fact}\nin {file.relative_to(source)}: {cause}"
    return message


def describe_missing(unavailable):
    """Describe what this machine lacks; if it is a device, name a page to read."""
    page = f" {concepts.DEVICE}" if OPENCL.search(str(unavailable)) else ""
    return f"the machine is at fault, not your file: {unavailable}{page}"


def describe_unwritten(report, exercise, source):
    """Describe a NotImplementedError from the starter or from the student's own code."""
    text = f"not written yet: {report['message'] or 'this is your part'}"
    file, number = report["lines"][-1] if report["lines"] else (None, 0)
    if not (own := own_text(exercise, source, file).splitlines()):
        return text
    starter = exercise.starter(file).splitlines()
    line = own[number - 1].strip()
    places = [i for i, text in enumerate(starter) if text.strip() == line]
    if not places:  # raised by the student's own line
        return f"NotImplementedError: {report['message']}".removesuffix(": ")
    if any(before(starter, i) == before(own, number - 1) for i in places):
        return f"{text}: replace that line with your code"
    return (
        f"NotImplementedError: {report['message']}: the starter's line still follows your code: "
        f"delete it {concepts.RAISED}"
    )


def before(lines, i):
    """Return the last line of code before line `i`, stripped; comments do not count."""
    code = [line.strip() for line in lines[:i] if line.strip() and line.strip()[0] != "#"]
    return code[-1] if code else ""


def describe_end(stopped, exercise):
    """Describe why the process ended, as a `Stopped` reports it."""
    ended, doing = stopped.ended, stopped.doing
    if ended.timed_out:
        cause = "an endless loop, far too much work, or a wait for something that never comes?"
        where = f"; {stopped.line}, was running" if stopped.line else ""
        return f"no answer within {stopped.seconds:.0f} s while {doing}{where}: {cause}"
    if ended.code < 0:
        number = -ended.code
        hint = ""
        if number == signal.SIGSEGV:
            hint = ": an index or a pointer is out of bounds"
            if "ladder.offload" in exercise.allows:
                hint = ": does the kernel get all of its arguments, and in their order?"
        elif number == signal.SIGABRT and FREED_TWICE.search(ended.output):
            hint = ": memory was freed twice"
        elif number == signal.SIGABRT and HEAP.search(ended.output):
            hint = ": something was written past the end of an array or of a device buffer"
            hint += f" {concepts.GUARD}" if exercise.uses_opencl else ""
        name = signal.strsignal(number) or "unknown"
        return f"it crashed while {doing}: {name} (signal {number}){hint}"
    if ended.code and "MemoryError" in ended.output:
        limit = exercise.memory_gib
        return f"the answer needs more memory than a check allows ({limit:g} GiB) while {doing}"
    return f"it ended the process (exit code {ended.code}) while {doing}: return the result instead"
