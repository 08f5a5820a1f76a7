"""The text of a kernel's source, with what it includes; devices know no folders of headers."""

import re
from importlib import resources
from pathlib import Path

CSRC = Path(str(resources.files("polymask.csrc")))
KERNELS = CSRC / "offload"
FOLDERS = [KERNELS, CSRC]  # where headers lie that a kernel may include
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">].*$', re.MULTILINE)


def text(file, seen=None):
    """Return the text of a source file; each of our headers stands where it is first included."""
    seen = set() if seen is None else seen

    def included(match):
        for folder in FOLDERS if match[1] == "<" else (file.parent, *FOLDERS):
            header = folder / match[2]
            if header.is_file():
                if header in seen:
                    return ""
                seen.add(header)
                return text(header, seen)
        return match[0]  # the compiler will say what is missing

    return INCLUDE.sub(included, file.read_text(encoding="utf-8"))
