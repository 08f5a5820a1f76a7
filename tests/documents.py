"""Pages of docs/: their sections, tables, links, and the programs that they show, cut out and run.

A block of code may hold a program for each of several libraries. Each begins with a comment that
names its library: `# NumPy`, or `# CuPy: and a remark`.
"""

import importlib
import importlib.util
import re

import pytest
from checkouts import ROOT

from polymask import contract, devices
from polymask.offload import engines

DOCS = ROOT / "docs"
LIBRARIES = ("NumPy", "Numba", "numba-cuda", "CuPy", "cuda.compute", "PyOpenCL", "dpctl", "dpnp")
PACKAGES = {  # where nothing else says so: what is imported, and what brings it
    "Numba": ("numba", "polymask[numba]"),
    "numba-cuda": ("numba.cuda", "polymask[numba]"),
    "cuda.compute": ("cuda.compute", "cuda-cccl[cu13]"),
    "dpctl": ("dpctl", "polymask[sycl]"),
    "dpnp": ("dpnp", "polymask[dpnp]"),
}
BEGIN = re.compile(rf"^# ({'|'.join(map(re.escape, LIBRARIES))})(?::.*)?$", re.M)


def read(name):
    """Return the text of a page."""
    return (DOCS / name).read_text(encoding="utf-8")


def sections(text):
    """Return heading to text, of the parts that begin with `##`."""
    parts = re.split(r"^## (.*)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def programs(text):
    """Return a (library, code) of each program that a text shows, in its order."""
    found = []
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M):
        before, *parts = BEGIN.split(block)
        assert not before.strip(), f"a program of no library:\n{block}"
        found += zip(parts[::2], parts[1::2], strict=True)
    return found


def rows(text):
    """Return the rows of a text's tables, without headings, each a list of its cells."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rules = [number for number, row in enumerate(cells) if set("".join(row)) <= {"-", ":"}]
    headings = {number - 1 for number in rules} | set(rules)
    return [row for number, row in enumerate(cells) if number not in headings]


def anchor(heading):
    """Return a heading's name in links."""
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def run(code, names, what):
    """Run a program with these names; return all names that it leaves."""
    names = dict(names)
    exec(compile(code, f"<{what}>", "exec"), names)
    return names


def need_gpu():
    """Skip where CuPy has no GPU, or is not installed."""
    try:
        engines.engine("cuda").count()
    except contract.Unavailable as missing:
        pytest.skip(str(missing))


def need(library):
    """Skip where a library, or a device for it, is missing; say which."""
    if library == "PyOpenCL":
        try:
            devices.kind("opencl").check()
        except (contract.Unavailable, ImportError) as missing:
            pytest.skip(str(missing))
    elif library in ("CuPy", "cuda.compute"):
        need_gpu()
    package, brings = PACKAGES.get(library, (None, None))
    if package and not installed(package):
        pytest.skip(f"{library} is not installed: pip install '{brings}'")


def installed(package):
    """Whether a package is there, and those that it lies in."""
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def sycl_device():
    """Return the SYCL device that works, dpctl's; skip where there is none."""
    try:
        return devices.kind("sycl").device()
    except contract.Unavailable as missing:
        pytest.skip(str(missing))
