"""Messages for the student about exceptions, and about the end of a process."""

import re
import signal

from polymask.workshop import concepts
from polymask.workshop.sandbox import compiler_hints, kernel
from polymask.workshop.sandbox.build import MOST_LINES

GIVEN_BACK = re.compile(r"double free detected|double free or corruption \(fasttop\)")
# Messages of the C library about overwritten memory between two blocks.
HEAP = re.compile(r"(free|malloc|realloc|munmap_chunk)\(\)?.*:|corrupted|double free")
# PyOpenCL's messages about a Python number as a kernel's argument, or one of another size.
KERNEL_ARGUMENT = re.compile(
    r"(?:set_arg failed: INVALID_VALUE|SetKernelArg failed: INVALID_ARG_(?P<size>SIZE))"
    r"(?: - when processing arg#(?P<number>\d+))?"
)
MISSING = re.compile(r"module '(?!polymask_check)[\w.]+' has no attribute '(\w+)'")
OPENCL = re.compile(r"\bOpenCL\b|\bPYOPENCL_CTX\b")  # in the message about a missing device


def describe_exception(report, exercise, source=None):
    """Describe the exception of a `Failed` in a line, with the line of code that raised it.

    `source` is the folder with the copy of the student's files.
    """
    kind, message = report["type"], report["message"]
    if where := report.get("syntax"):
        return f"{where['file']}, line {where['line']}: {where['message']}\n    " + (
            where["text"].strip()
        )
    if kind == "CheckFailed":  # a message of our own, such as of a kernel that does not compile
        return message
    at = report["lines"] or report.get("check", ())
    where = "{}, line {}: ".format(*at[-1]) if at else ""
    if "NotImplementedError" in report["bases"]:
        return where + describe_unwritten(report, exercise, source)
    if (missing := MISSING.fullmatch(message)) and not report["lines"]:
        return f"{exercise.main} has no {missing[1]}"
    if "MemoryError" in report["bases"]:
        return f"{where}it needs more memory than a check allows ({exercise.memory_gib:g} GiB)"
    if kind == "SystemExit":
        return f"{where}it ends the program (SystemExit({message})): return the result instead"
    if "ImportError" in report["bases"] and (
        symbol := re.search(r"undefined symbol: (\w+)", message)
    ):
        if symbol[1].startswith(("GOMP_", "omp_", "__kmpc_")):
            mend = "pass the OpenMP flag to the linker, too"
        else:
            mend = "is its C or C++ source among the sources?"
        return f"the module lacks {symbol[1]}: {mend} {concepts.UNDEFINED}"
    if "buffer source array is read-only" in message:
        return (
            f"{where}the vertices may be a read-only array: declare them as "
            "`const double[:, ::1]`, which cannot write to them "
            f"{concepts.READ_ONLY}"
        )
    if "nopython mode pipeline" in message and (lines := message.split("\n", 1)[1:]):
        return f"{where}Numba cannot compile it: {lines[0].strip().splitlines()[0]}"
    if "matching definition for argument type(s)" in message and "readonly array" in message:
        return (
            f"{where}the vertices may be a read-only array, which has its own type in Numba: leave "
            "the types out, so that Numba infers them"
        )
    if "clBuildProgram failed" in message:
        lines = [kernel.compiler_lines(message), compiler_hints.of_unknown_type(message)]
        return "\n".join([f"{where}the device's compiler refuses it:", *filter(None, lines)])
    if cause := compiler_hints.of_unknown_type(message):  # PyOpenCL reads types, too
        return f"{where}{cause}"
    if argument := KERNEL_ARGUMENT.search(message):
        return f"{where}{wrong_argument(argument)}"
    if "INVALID_WORK_GROUP_SIZE" in message:
        return (
            f"{where}the device refuses the work-group: the global size has to be a multiple of "
            "its size in each dimension, or the work-group is too large (INVALID_WORK_GROUP_SIZE) "
            f"{concepts.GUARD}"
        )
    if kind == "OffloadError" and " cannot be compiled:" in message:
        lines = message.replace(f"{source}/", "").splitlines()[:MOST_LINES]
        return "\n".join([where + lines[0], *lines[1:]])
    first = (message.splitlines() or [""])[0]
    return f"{where}{kind}: {first}".removesuffix(": ")


def wrong_argument(match):
    """Describe a kernel's argument without a C type, or with another than the kernel's."""
    which = f"argument {match['number']} of the kernel" if match["number"] else "an argument"
    if match["size"]:
        return (
            f"{which} has another size than in the kernel (INVALID_ARG_SIZE): `np.int32(n)` is for "
            "`int`, `np.int64(n)` for `long`, and a buffer of the device for a pointer; compare "
            "their order, too"
        )
    return (
        f"{which} is a Python object, which has no type of C: hand a number over as `np.int32(n)` "
        "for `int`, `np.int64(n)` for `long`"
    )


def with_type_hint(message, fact, exercise, source):
    """Return a message about a wrong answer: a misused type name if there is one, or `message`.

    `fact` is the message without advice, and `source` the folder of the student's files.
    """
    if not exercise.uses_opencl or not source.is_dir():
        return message
    for file in sorted(file for file in source.rglob("*") if file.suffix in (".py", ".cl")):
        if cause := compiler_hints.of_vector(file.read_text(encoding="utf-8", errors="replace")):
            return f"{fact}\nin {file.relative_to(source)}: {cause}"
    return message


def describe_missing(unavailable):
    """Describe what the machine lacks, with a page to read about a missing device."""
    page = f" {concepts.DEVICE}" if OPENCL.search(str(unavailable)) else ""
    return f"the machine is at fault, not your file: {unavailable}{page}"


def describe_unwritten(report, exercise, source):
    """Describe a NotImplementedError, of the starter or of the student's own code."""
    text = f"not written yet: {report['message'] or 'this is your part'}"
    file, number = report["lines"][-1] if report["lines"] else (None, 0)
    if source is None or file not in exercise.files:
        return text
    own = (source / file).read_text(encoding="utf-8", errors="replace").splitlines()
    starts = exercise.starter(file).splitlines()
    line = own[number - 1].strip()
    places = [i for i, text in enumerate(starts) if text.strip() == line]
    if not places:  # raised by the student's own line
        return f"NotImplementedError: {report['message']}".removesuffix(": ")
    if any(before(starts, i) == before(own, number - 1) for i in places):
        return f"{text}: write it in the place of that line"
    return (
        f"NotImplementedError: {report['message']}: the starter's line ends what you have written; "
        f"take it out {concepts.RAISED}"
    )


def before(lines, i):
    """Return the line of code before line `i`, without blanks; comments do not count."""
    code = [line.strip() for line in lines[:i] if line.strip() and line.strip()[0] != "#"]
    return code[-1] if code else ""


def describe_end(how, doing, exercise, seconds):
    """Describe why the process ended during `doing`, with a time-out of `seconds`."""
    if how.timed_out:
        return f"no answer within {seconds:g} s while {doing}: is there an endless loop?"
    if how.code < 0:
        number = -how.code
        hint = ""
        if number == signal.SIGSEGV:
            hint = ": an index or a pointer left its array"
        elif number == signal.SIGABRT and GIVEN_BACK.search(how.output):
            hint = ": memory was given back twice"
        elif number == signal.SIGABRT and HEAP.search(how.output):
            hint = ": something was written beyond the end of an array or of a device's buffer"
            hint += f" {concepts.GUARD}" if exercise.uses_opencl else ""
        name = signal.strsignal(number) or "unknown"
        return f"it crashed while {doing}: {name} (signal {number}){hint}"
    if how.code and "MemoryError" in how.output:
        limit = exercise.memory_gib
        return f"it needs more memory than a check allows ({limit:g} GiB) while {doing}"
    return f"it ended the process (exit code {how.code}) while {doing}: return the result instead"
