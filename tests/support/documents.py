"""Pages of docs/: their sections, tables and links, and their programs, extracted and run.

A block of code may hold a program for each of several libraries. Each begins with a comment that
names its library: `# NumPy`, or `# CuPy: and a remark`.
"""

import importlib
import importlib.util
import re

import pytest
from checkouts import ROOT

from ladder import devices
from ladder.offload import engines
from polymask import contract

DOCS = ROOT / "docs"
LIBRARIES = ("NumPy", "Numba", "CuPy", "cuda.compute", "PyOpenCL", "dpnp")
PACKAGES = {  # libraries that only need to be installed: the module, and the requirement for pip
    "Numba": ("numba", "polymask[numba]"),
    "cuda.compute": ("cuda.compute", "cuda-cccl[cu13]"),
    "dpnp": ("dpnp", "polymask[dpnp]"),
}
BEGIN = re.compile(rf"^# ({'|'.join(map(re.escape, LIBRARIES))})(?::.*)?$", re.M)


def read(name):
    """Return the text of a page."""
    return (DOCS / name).read_text(encoding="utf-8")


def lesson(folder):
    """Return the text of all pages of a lesson."""
    return "\n".join(page.read_text(encoding="utf-8") for page in sorted(folder.glob("*.md")))


def sections(text):
    """Map the headings of the parts that begin with `##` to their texts."""
    parts = re.split(r"^## (.*)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def programs(text):
    """Return (library, code) for each program in a text, in order."""
    result = []
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M):
        before, *parts = BEGIN.split(block)
        assert not before.strip(), f"a program of no library:\n{block}"
        result += zip(parts[::2], parts[1::2], strict=True)
    return result


def rows(text):
    """Return the rows of a text's tables as lists of cells, without headings."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rules = [number for number, row in enumerate(cells) if set("".join(row)) <= {"-", ":"}]
    headings = {number - 1 for number in rules} | set(rules)
    return [row for number, row in enumerate(cells) if number not in headings]


def anchor(heading):
    """Return a heading's anchor."""
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def run(code, names, what):
    """Run a program in a copy of these names; return the copy."""
    names = dict(names)
    exec(compile(code, f"<{what}>", "exec"), names)
    return names


def need_gpu():
    """Skip if CuPy has no GPU or is not installed."""
    try:
        engines.engine("cuda").count()
    except contract.Unavailable as missing:
        pytest.skip(str(missing))


def need(library):
    """Skip if a library or its device is missing; name it in the reason."""
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
    """Whether a package and its parent packages are installed."""
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def sycl_device():
    """Return dpctl's working SYCL device; skip if there is none."""
    try:
        return devices.kind("sycl").device()
    except contract.Unavailable as missing:
        pytest.skip(str(missing))
