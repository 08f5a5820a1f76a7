"""Kernels' sources compiled into shared libraries for the host, each once.

What was compiled is kept in the user's cache under a digest of all that it was made of: command,
environment, compiler, source, and the headers that the compiler itself said it had read.
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

from polymask.common import caches
from polymask.common.errors import OffloadError
from polymask.offload.engines import source

LANGUAGES = {".c": ("CC", "cc"), ".cpp": ("CXX", "c++ -std=c++20")}  # suffix to the compiler
SEARCHED = "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"


def compiled(file, defines):
    """Return the shared library of a source file, which is compiled if that has not been done."""
    variable, compiler = LANGUAGES[file.suffix]
    exact = (resources.files("polymask.csrc") / "engine/exact_flags.txt").read_text("utf-8").split()
    command = [
        *shlex.split(os.environ.get(variable) or compiler),
        *("-O3", *exact, "-fopenmp", "-fPIC", "-shared"),
        *(f"-I{folder}" for folder in source.FOLDERS),
        *(f"-D{name}={value}" for name, value in defines.items()),
    ]
    made_of = [*command, str(file), platform.machine(), *_tool(command[0])]
    made_of += [os.environ.get(name, "") for name in SEARCHED]
    made_of = hashlib.sha256("\0".join(made_of).encode(errors="surrogateescape")).hexdigest()
    headers = cache() / f"{file.stem}-{made_of[:32]}.d"
    if headers.exists() and (library := _library(headers)).exists():
        return library
    try:
        headers.parent.mkdir(parents=True, exist_ok=True)
        apart = tempfile.TemporaryDirectory(dir=headers.parent)
    except OSError as error:
        raise OffloadError(
            f"compiled kernels cannot be kept in {headers.parent}: {error.strerror}: let "
            "XDG_CACHE_HOME be a folder of yours, or unset it"
        ) from None
    with apart as folder:
        part, read = Path(folder, "library.so"), Path(folder, "headers.d")
        command += ["-MD", "-MF", read, "-o", part, file, "-lm"]
        try:
            done = subprocess.run(
                command, capture_output=True, encoding="utf-8", errors="replace", check=False
            )
        except OSError as error:
            raise OffloadError(
                f"{file.name} needs a compiler, and {command[0]} does not start "
                f"({error.strerror}): install gcc, or name one by {variable}"
            ) from None
        if done.returncode:
            raise OffloadError(f"{file.name} cannot be compiled:\n{done.stderr.strip()}")
        read.replace(headers)  # in one step each: others may want them at the same time
        part.replace(library := _library(headers))
    return library


def cache():
    """Return the folder in which compiled libraries are kept."""
    caches.ensure()
    return caches.home() / "polymask" / "offload"


def _tool(name):
    """Return what tells one compiler of a name from another."""
    found = shutil.which(name)
    if found is None:
        return []
    about = os.stat(found)
    return [os.path.realpath(found), str(about.st_size), str(about.st_mtime_ns)]


def _library(headers):
    """Return the library of what a compiler has read, given its list of that, a rule of make's."""
    _, _, names = headers.read_text(encoding="utf-8", errors="surrogateescape").partition(": ")
    found = hashlib.sha256()
    for name in re.findall(r"(?:\\[ #]|[^\s\\]|\\(?!\n))+", names.replace("\\\n", " ")):
        file = Path(re.sub(r"\\([ #])", r"\1", name).replace("$$", "$"))
        content = file.read_bytes() if file.is_file() else b""
        found.update(b"%d:" % len(content) + content)
    return headers.with_name(f"{headers.stem}-{found.hexdigest()[:32]}.so")
