"""The text of a kernel in csrc with its headers, as a device's compiler gets no folder of them."""

import re
from importlib import resources

CSRC = resources.files("polymask.csrc")
INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def kernel_text(name, folder=CSRC):
    """Return the text of a file in csrc, in which texts replace the lines that include them.

    Examples
    --------
    >>> '#include "' in kernel_text("mask.cl")
    False
    """
    return with_headers((folder / name).read_text(encoding="utf-8"), (folder / name).parent)


def with_headers(text, folder=CSRC):
    """Return a text in which the texts of csrc's headers replace the lines that include them."""
    return INCLUDE.sub(lambda line: kernel_text(line[1], folder), text)
