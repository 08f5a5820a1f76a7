"""What went wrong with an answer, in a line for the student: by exceptions, and by the end."""

import re
import signal

from polymask.workshop import concepts
from polymask.workshop.sandbox import compiler_hints, kernel
from polymask.workshop.sandbox.build import MOST_LINES

GIVEN_BACK = re.compile(r"double free detected|double free or corruption \(fasttop\)")
# What the C library says when it finds its own notes, between two blocks of memory, overwritten.
HEAP = re.compile(r"(free|malloc|realloc|munmap_chunk)\(\)?.*:|corrupted|double free")
# PyOpenCL's words for a Python number as a kernel's argument, and for one of another size.
KERNEL_ARGUMENT = re.compile(
    r"(?:set_arg failed: INVALID_VALUE|SetKernelArg failed: INVALID_ARG_(?P<size>SIZE))"
    r"(?: - when processing arg#(?P<number>\d+))?"
)
MISSING = re.compile(r"module '(?!polymask_check)[\w.]+' has no attribute '(\w+)'")
OPENCL = re.compile(r"\bOpenCL\b|\bPYOPENCL_CTX\b")  # in the words for a device that is lacking


def raised(said, exercise, source=None):
    """Say in a line what a `Failed` has said of an exception, with the line it comes from.

    `source` is the folder of the student's files, as they were copied.
    """
    kind, message = said["type"], said["message"]
    if where := said.get("syntax"):
        return f"{where['file']}, line {where['line']}: {where['message']}\n    " + (
            where["text"].strip()
        )
    if kind == "CheckFailed":  # of ours, such as that a kernel does not compile
        return message
    at = said["lines"] or said.get("check", ())
    where = "{}, line {}: ".format(*at[-1]) if at else ""
    if "NotImplementedError" in said["bases"]:
        return where + unwritten(said, exercise, source)
    if (missing := MISSING.fullmatch(message)) and not said["lines"]:
        return f"{exercise.main} has no {missing[1]}"
    if "MemoryError" in said["bases"]:
        return f"{where}it asked for more memory than a check allows ({exercise.memory_gib:g} GiB)"
    if kind == "SystemExit":
        return f"{where}it ends the program (SystemExit({message})): return what is asked for"
    if "ImportError" in said["bases"] and (
        symbol := re.search(r"undefined symbol: (\w+)", message)
    ):
        if symbol[1].startswith(("GOMP_", "omp_", "__kmpc_")):
            mend = "the linker has to be told of OpenMP, too"
        else:
            mend = "is its C or C++ source among the sources?"
        return f"the module lacks {symbol[1]}: {mend} {concepts.UNDEFINED}"
    if "buffer source array is read-only" in message:
        return (
            f"{where}the vertices may be an array that is read-only: what looks at them must be "
            "of the type `const double[:, ::1]`, which cannot write to them "
            f"{concepts.READ_ONLY}"
        )
    if "nopython mode pipeline" in message and (lines := message.split("\n", 1)[1:]):
        return f"{where}Numba cannot compile it: {lines[0].strip().splitlines()[0]}"
    if "matching definition for argument type(s)" in message and "readonly array" in message:
        return (
            f"{where}the vertices may be an array that is read-only, which has a type of its own "
            "in Numba: leave the types out, so that it finds them"
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
            "it in each dimension, and it may be too large (INVALID_WORK_GROUP_SIZE) "
            f"{concepts.GUARD}"
        )
    if kind == "OffloadError" and " cannot be compiled:" in message:
        lines = message.replace(f"{source}/", "").splitlines()[:MOST_LINES]
        return "\n".join([where + lines[0], *lines[1:]])
    first = (message.splitlines() or [""])[0]
    return f"{where}{kind}: {first}".removesuffix(": ")


def wrong_argument(match):
    """Say which argument of a kernel has no type of C, or another than the kernel's."""
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


def likely(message, fact, exercise, source):
    """Return what is said of a wrong answer: by a name of a type, if one explains it, or `message`.

    `fact` is the message without advice; `source` the folder of the student's files.
    """
    if not exercise.uses_opencl or not source.is_dir():
        return message
    for file in sorted(file for file in source.rglob("*") if file.suffix in (".py", ".cl")):
        if cause := compiler_hints.of_vector(file.read_text(encoding="utf-8", errors="replace")):
            return f"{fact}\nin {file.relative_to(source)}: {cause}"
    return message


def lacking(unavailable):
    """Say what the machine lacks, and where that is explained if it is a device."""
    page = f" {concepts.DEVICE}" if OPENCL.search(str(unavailable)) else ""
    return f"the machine is at fault, not your file: {unavailable}{page}"


def unwritten(said, exercise, source):
    """Say a NotImplementedError: whether it is the starter's, and still in the starter's place."""
    text = f"not written yet: {said['message'] or 'this is your part'}"
    file, number = said["lines"][-1] if said["lines"] else (None, 0)
    if source is None or file not in exercise.files:
        return text
    own = (source / file).read_text(encoding="utf-8", errors="replace").splitlines()
    starts = exercise.starter(file).splitlines()
    line = own[number - 1].strip()
    places = [i for i, text in enumerate(starts) if text.strip() == line]
    if not places:  # the student's own
        return f"NotImplementedError: {said['message']}".removesuffix(": ")
    if any(before(starts, i) == before(own, number - 1) for i in places):
        return f"{text}: write it in the place of that line"
    return (
        f"NotImplementedError: {said['message']}: the starter's line ends what you have written; "
        f"take it out {concepts.RAISED}"
    )


def before(lines, i):
    """Return the line of code before one, without blanks; comments are none."""
    code = [line.strip() for line in lines[:i] if line.strip() and line.strip()[0] != "#"]
    return code[-1] if code else ""


def ended(how, doing, exercise, seconds):
    """Say why the process ended, `doing` something, with a time-out of so many `seconds`."""
    if how.timed_out:
        return f"no answer within {seconds:g} s while {doing}: does a loop never end?"
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
        return f"it asked for more memory than a check allows ({limit:g} GiB) while {doing}"
    return f"it ended the process (exit code {how.code}) while {doing}: return what is asked for"
