"""The source of a kernel for a device, whose compiler reads the headers that it includes."""

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
FOLDERS = [KERNELS, CSRC]  # where headers lie that a kernel may include
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]+["<]([^">]+)[">]', re.MULTILINE)


def text(file):
    """Return a source file's text; it ends with a digest of the headers that it may include.

    Drivers keep what they have compiled under the text alone, and would not see a header change.
    Lines are those of the file: NVIDIA's OpenCL does not heed #line.
    """
    try:
        code = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise OffloadError(f"{file} is not UTF-8: save it as that") from None
    return f"{code}\n// headers: {digest(file)}\n"


def digest(file):
    """Return a digest of all files that a source may include, in dead branches and comments too."""
    read, waiting, found = set(), [file], hashlib.sha256()
    while waiting:
        source = waiting.pop().resolve()
        if source in read:
            continue
        read.add(source)
        content = source.read_bytes()
        found.update(b"%d:" % len(content) + content)
        for name in INCLUDE.findall(content):
            there = (Path(folder, name.decode()) for folder in (source.parent, *folders(file)))
            waiting += [header for header in there if header.is_file()]
    return found.hexdigest()


def folders(file):
    """Return the folders of a source's headers, in the order in which they are looked through."""
    return [file.parent, *FOLDERS]


@functools.cache
def without_blanks(folder):
    """Return a folder, or a link to it: OpenCL's drivers take no option with a blank in it."""
    if not re.search(r"\s", str(folder)):
        return folder
    made = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    link = Path(made, "headers")
    link.symlink_to(folder)
    return link
