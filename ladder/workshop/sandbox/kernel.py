"""The replacement of csrc/mask.cl with a student's OpenCL kernel, in a separate process."""

import re
from pathlib import Path
from types import SimpleNamespace

from ladder.workshop.sandbox.check_failed import CheckFailed
from polymask.common.kernel_text import kernel_text

KERNEL = "polygon_mask"
INCLUDE = '#include "inside_polygon_branchless.h"'


def module(file, host):
    """Return a `make_mask` that runs a file's kernel in a rung's module, `host`, and `program`."""
    import pyopencl as cl

    program = build(cl, host.context(), Path(file))
    if KERNEL not in program.kernel_names.split(";"):
        raise CheckFailed(f"{Path(file).name} has no kernel {KERNEL}")
    original = host.program

    def make_mask(vertices, shape, border_value=True, **options):
        host.program = lambda: program
        try:
            return host.make_mask(vertices, shape, border_value, **options)
        except cl.LogicError as error:
            if "clSetKernelArg" in str(error) or "number of arguments" in str(error):
                fact = "the kernel's arguments are not those that the host passes"
                raise CheckFailed(f"{fact}: {error}; keep them as in the starter") from None
            raise
        finally:
            host.program = original  # for the solution's mask

    return SimpleNamespace(make_mask=make_mask, program=program)


def build(cl, context, file):
    """Build the kernel; line numbers in compiler messages are those of the student's file."""
    text = file.read_text(encoding="utf-8", errors="replace")  # comments may have any encoding
    before, include, after = text.partition(INCLUDE)
    if include:
        rule = kernel_text("inside_polygon_branchless.h")
        line = before.count("\n") + 2
        text = f'{before}{rule}\n#line {line} "{file.name}"{after}'
    return cl.Program(context, text).build(cache_dir=False)


def compiler_lines(text):
    """Return the log of a failed build from its first error, without the driver's file name."""
    place = r"\S*/\S+?\.cl:(\d+):(\d+)(?: <Spelling=[^>]*>)?"  # the second one, in a macro
    lines = re.sub(place, r"line \1 of the kernel's source, column \2", text).splitlines()
    first = next((i for i, line in enumerate(lines) if "error:" in line), 0)
    after = (i for i, line in enumerate(lines) if i > first and line.startswith("Device "))
    return "\n".join(lines[first : min(next(after, len(lines)), first + 4)]).strip()
