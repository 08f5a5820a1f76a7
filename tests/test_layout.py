"""The layout: imports go one way, and file names are unambiguous."""

import re
import sys
from collections import defaultdict

from commands import ran

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PACKAGES = "polymask", "ladder", "building"
# Names shared by two Python files of the package and the rungs, with what the files have in common.
SHARED = {
    "__main__": "the target of `python -m`: for the package, and for its devices",
    "cuda": "CUDA: the search for its devices, and an engine for them",
    "kernel": "a kernel: a rung on a SYCL device, and a student's on a device",
    "limits": "the limits of a rung: as numbers, and as text",
    "opencl": "OpenCL: the search for its devices, a rung for them, and an engine for them",
    "openmp": "OpenMP: the compiler's options for it, and its threads",
    "polygon": "the polygon: the class of a rung, and its picture",
    "prange": "rows shared among threads: with OpenMP, and with Numba",
}


def modules(root):
    """Return the Python and Cython files of the packages and the rungs."""
    globs = [f"{folder}/**/*.{kind}" for folder in PACKAGES for kind in ("py", "pyx")]
    globs += ["[0-9]_*/*.py", "[0-9]_*/*.pyx"]
    return [file for each in globs for file in root.glob(each) if file.stem != "__init__"]


def test_no_import_goes_up(root):
    """The order of the packages is defined in pyproject.toml."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = ran(
        [sys.executable, "-X", "utf8", "-c", program, "--no-cache"], cwd=root, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_imports_nothing_of_the_benchmarks(root):
    """Two commands load them through `checkout.load` if there is a checkout."""
    pattern = re.compile(r"^\s*(from|import) benchmarks\b", re.M)
    texts = {file: file.read_text(encoding="utf-8") for file in modules(root)}
    assert [file for file, text in texts.items() if pattern.search(text)] == []


def test_the_engine_includes_only_its_own_folder(root):
    folders = [root / "csrc/engine" / name for name in ("include", "src", "tests")]
    for file in (root / "csrc/engine").rglob("*.[chi]*"):
        for name in re.findall(r'^ *# *include "(.+)"', file.read_text("utf-8"), re.M):
            found = any((folder / name).exists() for folder in (file.parent, *folders))
            assert (found, ".." in name) == (True, False), (file, name)


def test_no_module_is_named_like_one_of_pythons(root):
    assert {file.stem for file in modules(root)} & sys.stdlib_module_names == set()


def test_no_two_modules_share_a_name_that_means_two_things(root):
    files = defaultdict(list)
    for file in modules(root):
        files[file.stem].append(file.relative_to(root).as_posix())
    shared = {name: paths for name, paths in files.items() if len(paths) > 1}
    assert shared.keys() == SHARED.keys(), shared


def test_files_named_in_where_is_exist(root):
    answers = tomllib.loads((root / "tests/where_is.toml").read_text(encoding="utf-8"))["answers"]
    assert [file for file in answers.values() if not (root / file).is_file()] == []


CODE = {".py", ".pyx", ".pxd", ".pyi", ".h", ".js", ".css", ".jinja"}


def lines_of(room, files, root):
    """Return the lines of code in the folders that a pattern names; of exercises all lines."""
    folders = [*root.glob(room)]
    inside = [f for f in files if any(f.is_relative_to(folder) for folder in folders)]
    counted = [f for f in inside if f.suffix in CODE or "exercises" in room]
    return sum(f.read_bytes().count(b"\n") for f in counted)


def test_no_room_is_over_its_budget_of_lines(root, files):
    budgets = tomllib.loads((root / "tests/budgets.toml").read_text(encoding="utf-8"))
    sizes = {room: lines_of(room, files, root) for room in budgets}
    over = {room: n for room, n in sizes.items() if n > budgets[room]}
    assert over == {}
    assert min(sizes.values()) > 500, sizes
