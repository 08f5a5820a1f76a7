"""The source of a kernel, and the headers that it includes."""

import atexit
import functools
import hashlib
import re
import shutil
import tempfile
from importlib import resources
from pathlib import Path

from polymask.common.errors import OffloadError

CSRC = Path(str(resources.files("polymask.csrc")))
KERNELS = CSRC / "offload"
FOLDERS = [KERNELS, CSRC]  # of headers that a kernel may include
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]+["<]([^">]+)[">]', re.MULTILINE)


def text(file):
    """Return a source file's text, followed by a digest of the headers that it may include.

    Drivers cache compiled kernels by the text only, and would miss a change of a header. The digest
    is at the end, so that line numbers are those of the file: NVIDIA's OpenCL ignores #line.
    """
    try:
        code = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise OffloadError(f"{file} is not UTF-8: save it as UTF-8") from None
    return f"{code}\n// headers: {digest(file)}\n"


def digest(file):
    """Return a digest of all files that a source may include, even in dead code or comments."""
    visited, pending, sha = set(), [file], hashlib.sha256()
    while pending:
        source = pending.pop().resolve()
        if source in visited:
            continue
        visited.add(source)
        content = source.read_bytes()
        sha.update(b"%d:" % len(content) + content)
        for name in INCLUDE.findall(content):
            paths = (Path(folder, name.decode()) for folder in (source.parent, *folders(file)))
            pending += [header for header in paths if header.is_file()]
    return sha.hexdigest()


def folders(file):
    """Return the folders in which a source's headers are searched, in order."""
    return [file.parent, *FOLDERS]


@functools.cache
def without_blanks(folder):
    """Return a folder, or a link to it if it has blanks, which OpenCL drivers do not accept."""
    if not re.search(r"\s", str(folder)):
        return folder
    folder_of_link = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder_of_link, ignore_errors=True)
    link = Path(folder_of_link, "headers")
    link.symlink_to(folder)
    return link
