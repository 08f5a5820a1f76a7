"""The compiler of kernels for the host: it makes a shared library from each source file, once.

Libraries are cached under a digest of all their inputs: command, environment, compiler, source, and
the headers that the compiler lists.
"""

import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import tempfile
from importlib import resources
from pathlib import Path

from ladder.common import caches
from ladder.devices import default_team
from ladder.offload.engines import source
from polymask.common.errors import OffloadError
from polymask.contract import MOST_THREADS, OPENMP_THREADS

LANGUAGES = {".c": ("CC", "cc"), ".cpp": ("CXX", "c++ -std=c++20")}  # suffix to the compiler
SEARCHED = "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"


def compiled(file, defines):
    """Return the shared library of a source file, compiled now or from the cache."""
    variable, compiler = LANGUAGES[file.suffix]
    exact = (resources.files("polymask.csrc") / "engine/exact_flags.txt").read_text("utf-8").split()
    team = default_team(MOST_THREADS, OPENMP_THREADS)  # the CPU quota of the container
    limit = {"PYMIC_MOST_THREADS": team} if team < MOST_THREADS else {}
    command = [
        *shlex.split(os.environ.get(variable) or compiler),
        *("-O3", *exact, "-fopenmp", "-fPIC", "-shared"),
        *(f"-I{folder}" for folder in source.FOLDERS),
        *(f"-D{name}={value}" for name, value in (limit | defines).items()),
    ]
    inputs = [*command, str(file), platform.machine(), *_tool(command[0])]
    inputs += [os.environ.get(name, "") for name in SEARCHED]
    digest = hashlib.sha256("\0".join(inputs).encode(errors="surrogateescape")).hexdigest()
    headers = cache() / f"{file.stem}-{digest[:32]}.d"
    if headers.exists() and (library := _library(headers)).exists():
        return library
    try:
        headers.parent.mkdir(parents=True, exist_ok=True)
        temporary = tempfile.TemporaryDirectory(dir=headers.parent)
    except OSError as error:
        raise OffloadError(
            f"compiled kernels cannot be cached in {headers.parent}: {error.strerror}: let "
            "XDG_CACHE_HOME name a writable folder, or unset it"
        ) from None
    with temporary as folder:
        new_library, header_list = Path(folder, "library.so"), Path(folder, "headers.d")
        command += ["-MD", "-MF", header_list, "-o", new_library, file, "-lm"]
        try:
            process = subprocess.run(
                command, capture_output=True, encoding="utf-8", errors="replace", check=False
            )
        except OSError as error:
            raise OffloadError(
                f"{file.name} needs a compiler, and {command[0]} does not start "
                f"({error.strerror}): install gcc, or name one with {variable}"
            ) from None
        if process.returncode:
            raise OffloadError(f"{file.name} cannot be compiled:\n{process.stderr.strip()}")
        header_list.replace(headers)  # atomic: other processes may read them
        new_library.replace(library := _library(headers))
    return library


def cache():
    """Return the folder for compiled libraries."""
    caches.ensure()
    return caches.home() / "polymask" / "offload"


def _tool(name):
    """Return the path, size and time of a compiler, which identify it."""
    path = shutil.which(name)
    if path is None:
        return []
    status = os.stat(path)
    return [os.path.realpath(path), str(status.st_size), str(status.st_mtime_ns)]


def _library(headers):
    """Return the library's path for the headers in a compiler's list, which is a rule of make."""
    _, _, names = headers.read_text(encoding="utf-8", errors="surrogateescape").partition(": ")
    sha = hashlib.sha256()
    for name in re.findall(r"(?:\\[ #]|[^\s\\]|\\(?!\n))+", names.replace("\\\n", " ")):
        file = Path(re.sub(r"\\([ #])", r"\1", name).replace("$$", "$"))
        content = file.read_bytes() if file.is_file() else b""
        sha.update(b"%d:" % len(content) + content)
    return headers.with_name(f"{headers.stem}-{sha.hexdigest()[:32]}.so")
