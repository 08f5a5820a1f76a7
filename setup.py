"""How polymask is built; `make build` runs it. Read it from the top: it is a lesson too.

An extension module is a C or C++ file that Python imports. Cython writes that file from a .pyx,
the compiler makes the module from it, and an Extension says how: its full name, its sources, its
language, its flags. The commands that do it are setuptools' own; polymask/building adds what makes
them safe to interrupt and to repeat.
"""

import os
import sys
from glob import glob
from pathlib import Path

from setuptools import Extension, find_packages, setup

sys.path.insert(0, ".")  # pip does not look here
from polymask.building.commands import COMMANDS


def exact(name):
    """Read the flags that keep the masks equal to the bit: no fused multiply-add, say."""
    return Path("csrc/engine", name).read_text(encoding="utf-8").split()


# For gcc and clang, and for Microsoft's compiler. No -ffast-math, and no -march=native: the same
# binary runs on every machine of a class.
FLAGS = {
    "unix": ["-O3", "-g0", *exact("exact_flags.txt")],
    "msvc": ["/O2", *exact("exact_flags_msvc.txt")],
}
CXX_FLAGS = {"unix": ["-std=c++20"], "msvc": ["/std:c++20", "/EHsc"]}

# A change in one of these renews every extension.
SHARED = ["setup.py", *sorted(glob("csrc/*.[hp]*") + glob("polymask/cost/*.h"))]


def extension(name, *sources, language=None, openmp=False, links=None, depends=()):
    """Describe one extension module; the language is C unless it says C++."""
    made = Extension(
        f"polymask.{name}",  # the full dotted name, even where the folder is called otherwise
        list(sources),
        language=language,
        include_dirs=["csrc", "csrc/engine/include"],
        depends=[*SHARED, *depends],
    )
    made.flags = {
        compiler: flags + (CXX_FLAGS[compiler] if language == "c++" else [])
        for compiler, flags in FLAGS.items()
    }
    made.openmp = openmp  # the flags for it depend on the compiler: the build finds them
    made.links = links
    return made


# The scanline engine is compiled once, into a static library that some extensions link.
ENGINE = extension(
    "engine",
    *sorted(glob("csrc/engine/src/*.cpp")),
    language="c++",
    openmp=True,
    depends=sorted(
        file
        for suffix in ("hpp", "inl")
        for file in glob(f"csrc/engine/**/*.{suffix}", recursive=True)
    ),
)

EXTENSIONS = [
    extension("cython.compiled", "0_python/tuples.py"),  # plain Python, compiled as it is
    extension("cython.typed", "1_cython/typed.pyx"),
    extension("clib.points", "2_clib/points.pyx", "csrc/points_inside_polygon.c"),
    extension("cclass.polygon", "3_cclass/polygon.pyx"),
    extension("cclass.cpp", "3_cclass/cpp.pyx", "csrc/polygon.cpp", language="c++"),
    extension("openmp.prange", "4_openmp/prange.pyx", openmp=True),
    extension("openmp.simd", "4_openmp/simd.pyx", openmp=True),
    extension("scanline.engine", "9_scanline/engine.pyx", language="c++", links=ENGINE),
    extension("scanline.threads", "9_scanline/threads.pyx", language="c++", links=ENGINE),
    extension("_engine", "polymask/_engine.pyx", language="c++", links=ENGINE),
    extension("devices.openmp", "polymask/devices/openmp.pyx", openmp=True),
    extension(
        "offload.engines.worker_queue",
        "polymask/offload/engines/worker_queue.pyx",
        language="c++",
        depends=["csrc/offload/queue.hpp"],
    ),
    extension("cost._prices", "polymask/cost/_prices.pyx", openmp=True),
    extension("_build_facts", "polymask/_build_facts.pyx", openmp=True),
    extension("_cyutility", "polymask/_cyutility.c"),  # Cython's memoryviews, once for all
]

if sys.platform == "win32":  # the library alone: the rungs are written for gcc and clang
    LIBRARY = "polymask._engine", "polymask._build_facts", "polymask._cyutility"
    EXTENSIONS = [e for e in EXTENSIONS if e.name in LIBRARY]

# Folders that begin with a digit cannot be packages by their names: they are mapped to names.
FOLDERS = {
    "polymask.csrc": "csrc",
    "polymask.python": "0_python",
    "polymask.cython": "1_cython",
    "polymask.clib": "2_clib",
    "polymask.cclass": "3_cclass",
    "polymask.openmp": "4_openmp",
    "polymask.opencl": "5_opencl",
    "polymask.offload.masks": "7_offload",  # beside the runtime, which is polymask.offload
    "polymask.scanline": "9_scanline",
}

# `make` installs first (POLYMASK_BUILD=later: no extensions), then builds in place, incrementally.
setup(
    packages=[
        *find_packages(include=["polymask", "polymask.*"], exclude=["polymask.building"]),
        *FOLDERS,
    ],
    package_dir=FOLDERS,
    package_data={
        "polymask": ["py.typed", "*.pyi"],
        "polymask.report.page": ["*.jinja", "*.css", "*.js"],
    }
    | {name: ["*.h", "*.hpp", "*.cl", "*.pyx"] for name in FOLDERS}
    | {"polymask.csrc": ["*.h", "*.hpp", "*.cl", "offload/*.[ch]", "engine/exact_flags.txt"]},
    ext_modules=[] if os.environ.get("POLYMASK_BUILD") == "later" else EXTENSIONS,
    cmdclass=COMMANDS,
    options={"build_ext": {"parallel": os.cpu_count()}},
)
