"""The compiler's flags for OpenMP."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

from setuptools.errors import CompileError, LinkError

# Pairs of flags for compiling and for linking; the first pair that works is used.
SPELLINGS = {
    "unix": [
        (["-fopenmp"], ["-fopenmp"]),  # gcc, and clang with its own libomp
        (["-Xpreprocessor", "-fopenmp"], ["-lomp"]),  # Apple's clang with libomp from elsewhere
    ],
    "msvc": [],  # Microsoft's runtime is from 2002, and LLVM's may not be redistributed
}

PROBE = "#include <omp.h>\nint main(void) { return !omp_get_max_threads(); }\n"


def flags(compiler, family):
    """Compile and link a file that needs OpenMP; return the flags, or None if none work."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text(PROBE)
        for compile_flags, link_flags in SPELLINGS[family]:
            try:
                with silence():
                    objects = compiler.compile(
                        [str(source)], output_dir=folder, extra_postargs=compile_flags
                    )
                    compiler.link_executable(
                        objects, str(Path(folder, "probe")), extra_postargs=link_flags
                    )
            except (CompileError, LinkError):
                continue
            return [compile_flags, link_flags]
    return None


@contextmanager
def silence():
    """Discard the compiler's output, as a probe may fail."""
    copies = {descriptor: os.dup(descriptor) for descriptor in (1, 2)}
    with open(os.devnull, "wb") as null:
        for descriptor in copies:
            os.dup2(null.fileno(), descriptor)
    try:
        yield
    finally:
        for descriptor, copy in copies.items():
            os.dup2(copy, descriptor)
            os.close(copy)
