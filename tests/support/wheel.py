"""Test of an installed polymask, with only its dependencies installed.

Run ``python tests/support/wheel.py`` anywhere except in the root of a checkout, where Python would
import ./polymask instead. test_packaging.py runs it, and cibuildwheel on every system.
"""

import importlib
import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from importlib import metadata
from pathlib import Path

import numpy as np

import polymask

SHAPE = (20, 30)
SQUARE = [(2.0, 3.0), (12.0, 3.0), (12.0, 9.0), (2.0, 9.0)]


def of_the_ladder(name):
    """Import a module of the ladder that needs the library alone, from the folder of this file."""
    file = Path(__file__).parents[2] / "ladder" / "registry" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference, workload = of_the_ladder("reference"), of_the_ladder("workload")


def check(statement, is_true):
    """Exit unless the statement is true; `python -O` would ignore an assert."""
    if not is_true:
        sys.exit(f"failed: {statement}")


def run(*arguments):
    """Run the command line like a user; return its output."""
    command = [sys.executable, "-m", "polymask", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    check(f"{' '.join(command)} works: {done.stdout}{done.stderr}", done.returncode == 0)
    return done.stdout


def public_functions():
    """Call the public functions, and compare their results with the definition."""
    vertices = workload.polygon(9, SHAPE)
    expected = reference.mask(vertices, SHAPE).astype(bool)
    mask = polymask.polygon_mask(vertices, SHAPE)
    check("polygon_mask is exact", np.array_equal(mask, expected))
    packed = polymask.polygon_mask(vertices, SHAPE, packed=True)
    bits = np.packbits(expected, axis=1, bitorder="little")
    check("packed masks are exact", np.array_equal(packed, bits))
    tile = polymask.polygon_mask(vertices, (8, 9), offset=(5, 7))
    check("a tile is a part of the whole", np.array_equal(tile, expected[5:13, 7:16]))
    ys, xs = np.mgrid[: SHAPE[0], : SHAPE[1]]
    points = np.stack([xs.ravel(), ys.ravel()], axis=1).astype(float)
    inside = polymask.contains(vertices, points)
    check("contains is exact", np.array_equal(inside, expected.ravel()))
    labels = polymask.label_mask([SQUARE, vertices], SHAPE)
    square = polymask.polygon_mask(SQUARE, SHAPE)
    check("label_mask labels", set(np.unique(labels[square | expected])) <= {1, 2})
    check("label_mask leaves the rest", not labels[~(square | expected)].any())
    large = polymask.polygon_mask(np.array(SQUARE) * 100, (1200, 1300), threads=2)
    serial = polymask.polygon_mask(np.array(SQUARE) * 100, (1200, 1300), threads=1)
    check("threads change nothing", np.array_equal(large, serial))


def without_the_lock():
    """In a Python without the GIL, no module enables it."""
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        return
    package, suffix = Path(polymask.__file__).parent, sysconfig.get_config_var("EXT_SUFFIX")
    modules = [file.relative_to(package.parent) for file in package.rglob(f"*{suffix}")]
    check("there are compiled modules", len(modules) > 5)
    for file in modules:
        importlib.import_module(".".join([*file.parent.parts, file.name.removesuffix(suffix)]))
    check("Python runs without its lock, all modules imported", not sys._is_gil_enabled())


def command_line():
    """Make masks of files."""
    check("--version", metadata.version("polymask") in run("--version"))
    with tempfile.TemporaryDirectory() as folder:
        ring = [*SQUARE, SQUARE[0]]
        square = Path(folder, "square.geojson")
        square.write_text(json.dumps({"type": "Polygon", "coordinates": [ring]}))
        for name in "mask.npy", "mask.png", "mask.npz":
            out = Path(folder, name)
            run("mask", square, "--shape", "20x30", "-o", out)
            check(f"{name} is written", out.stat().st_size > 0)
        mask = np.load(Path(folder, "mask.npy"))
        check("mask.npy", np.array_equal(mask != 0, polymask.polygon_mask(SQUARE, SHAPE)))


def no_course():
    """The wheel has no rungs, a doctor of one line, and other commands that need a clone."""
    check("there is no ladder", importlib.util.find_spec("ladder") is None)
    command = [sys.executable, "-m", "polymask", "bench"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    check("bench is refused", done.returncode == 2 and len(done.stderr.splitlines()) == 1)
    check("bench needs a clone", "clone" in done.stderr)
    (line,) = run("doctor").splitlines()
    check(line, "works: 6400 of 6400 pixels are right with " in line)


def main():
    """Run all checks and print a summary."""
    package = Path(polymask.__file__).parent
    check(f"{package} is installed", package.is_relative_to(sysconfig.get_path("platlib")))
    guards = [type(finder).__name__ for finder in sys.meta_path]
    check("no guard of a checkout is active", "Guard" not in guards)
    public_functions()
    without_the_lock()
    command_line()
    no_course()
    print(f"polymask {metadata.version('polymask')} works, on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
