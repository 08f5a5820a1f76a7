"""How polymask is built; `make build` runs it. Read it from the top: it is a lesson too.

An extension module is a C or C++ file that Python imports. Cython writes that file from a .pyx,
the compiler makes the module from it, and an Extension says how: its full name, its sources, its
language, its flags. The commands that do it are setuptools' own; building adds what makes
them safe to interrupt and to repeat.
"""

import os
import sys
from glob import glob
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, find_packages, setup

sys.path.insert(0, ".")  # pip does not look here
from building.commands import COMMANDS


def exact(name):
    """Read the flags that keep the masks equal to the bit, whatever the user's flags say."""
    return Path("csrc/engine", name).read_text(encoding="utf-8").split()


# For gcc and clang, and for Microsoft's compiler. No -ffast-math, and no -march=native: the same
# binary runs on every machine of a class.
FLAGS = {
    "unix": ["-O3", "-g0", *exact("exact_flags.txt")],
    "msvc": ["/O2", *exact("exact_flags_msvc.txt")],
}
CXX_FLAGS = {
    # A module shows its PyInit function alone: another module, or library, with an engine of its
    # own cannot be mistaken for it.
    "unix": ["-std=c++20", "-pthread", "-fvisibility=hidden", "-fvisibility-inlines-hidden"],
    "msvc": ["/std:c++20", "/EHsc"],
}

# A linker that is told -Ofast, or -ffast-math, lets the whole process flush denormals to zero.
LINK_FLAGS = FLAGS["unix"][:] if sys.platform != "win32" else []

# POLYMASK_SANITIZE=address,undefined lets gcc's sanitizers watch every access and every operation.
# Such modules need more than Python to be loaded: `make sanitize` builds them, in a copy, and no
# build in a clone takes the variable.
SANITIZERS = os.environ.get("POLYMASK_SANITIZE")
SANITIZER_FLAGS = [f"-fsanitize={SANITIZERS}", "-fno-sanitize-recover=all"] if SANITIZERS else []
if SANITIZERS:
    FLAGS["unix"] += [*SANITIZER_FLAGS, "-O1", "-g1", "-fno-omit-frame-pointer"]
    if Path(".git").exists():
        sys.exit("POLYMASK_SANITIZE is for a copy, as `make sanitize` makes one: unset it here")

# A change in one of these renews every extension.
SHARED = [
    "setup.py",
    *sorted(glob("csrc/*.[hp]*") + glob("ladder/cost/*.h")),
]


def extension(name, *sources, language=None, openmp=False, links=None, needs=None, depends=()):
    """Describe one extension module; the language is C unless it says C++.

    `needs` is a package, and its library, that it is compiled and linked with: where that is not
    installed, the module is left out, and its rung says what to install.
    """
    made = Extension(
        name,  # the full dotted name, even where the folder is called otherwise
        list(sources),
        language=language,
        include_dirs=["csrc", "csrc/engine/include", "csrc/engine/src"],
        depends=[*SHARED, *depends],
        extra_link_args=[*LINK_FLAGS, *SANITIZER_FLAGS[:1]],
    )
    made.flags = {
        compiler: flags + (CXX_FLAGS[compiler] if language == "c++" else [])
        for compiler, flags in FLAGS.items()
    }
    if language == "c++" and sys.platform.startswith("linux"):
        made.extra_link_args += ["-pthread"]  # of the standard library; elsewhere it is in it
    made.openmp = openmp  # the flags for it depend on the compiler: the build finds them
    made.links, made.needs = links, needs
    return made


def with_its_package(made):
    """Return whether the package that an extension needs is here; if so, tell where it lies."""
    if made.needs is None:
        return True
    package, library = made.needs
    try:
        made.define_macros += [("POLYMASK_NEEDS", f'"{version(package)}"')]  # a change rebuilds it
    except PackageNotFoundError:
        return False
    folder = Path(find_spec(package).origin).parent
    made.include_dirs += [str(folder / "include")]
    # RPATH, and not RUNPATH, holds for what the library needs itself: that lies where pip puts
    # libraries, beside the folder of Python's.
    runtime = f"{folder}:{folder.parents[2]}"
    made.extra_link_args += [f"-L{folder}", f"-Wl,--disable-new-dtags,-rpath,{runtime}"]
    made.libraries += [library]
    return True


# The scanline engine is compiled once, into a static library that some extensions link.
ENGINE = extension(
    "polymask.engine",
    *sorted(glob("csrc/engine/src/**/*.cpp", recursive=True)),
    language="c++",
    depends=sorted(
        file
        for suffix in ("h", "hpp", "inl")
        for file in glob(f"csrc/engine/**/*.{suffix}", recursive=True)
    ),
)

SYCL = "dpctl", "DPCTLSyclInterface"

# The library's modules, each of which links the engine.
LIBRARY = [
    *("masks/_engine", "masks/_many", "masks/_outlines", "masks/_summaries", "masks/_coverage"),
    "forms/_rle",
]

EXTENSIONS = [
    extension("ladder.cython.compiled", "0_python/tuples.py"),  # plain Python, compiled as it is
    extension("ladder.cython.typed", "1_cython/typed.pyx"),
    extension("ladder.clib.points", "2_clib/points.pyx", "csrc/points_inside_polygon.c"),
    extension("ladder.cclass.polygon", "3_cclass/polygon.pyx"),
    extension("ladder.cclass.cpp", "3_cclass/cpp.pyx", "csrc/polygon.cpp", language="c++"),
    extension("ladder.openmp.prange", "4_openmp/prange.pyx", openmp=True),
    extension("ladder.openmp.simd", "4_openmp/simd.pyx", openmp=True),
    extension("ladder.sycl.native", "8_sycl/native.pyx", language="c++", needs=SYCL),
    extension("ladder.scanline.cython", "9_scanline/cython.pyx"),
    extension("ladder.scanline.bits", "9_scanline/bits.pyx", language="c++"),
    extension("ladder.scanline.engine", "9_scanline/engine.pyx", language="c++", links=ENGINE),
    extension("ladder.scanline.threads", "9_scanline/threads.pyx", language="c++", links=ENGINE),
    *(
        extension(
            f"polymask.{name.replace('/', '.')}",
            f"polymask/{name}.pyx",
            language="c++",
            links=ENGINE,
        )
        for name in LIBRARY
    ),
    extension("ladder.devices.openmp", "ladder/devices/openmp.pyx", openmp=True),
    extension(
        "ladder.offload.engines.worker_queue",
        "ladder/offload/engines/worker_queue.pyx",
        language="c++",
        depends=["csrc/offload/queue.hpp"],
    ),
    extension("ladder.cost._prices", "ladder/cost/_prices.pyx", openmp=True),
    extension("ladder._build_facts", "ladder/_build_facts.pyx", openmp=True),
    extension("polymask._cyutility", "polymask/_cyutility.c"),  # Cython's memoryviews, once for all
]

EXTENSIONS = [e for e in EXTENSIONS if with_its_package(e)]
# A wheel is the library alone, as the course is read and run in a clone; so is what Windows gets,
# as the rungs are written for gcc and clang.
WHEEL = "bdist_wheel" in sys.argv
if WHEEL or sys.platform == "win32":
    EXTENSIONS = [e for e in EXTENSIONS if e.name.startswith("polymask.")]

# Folders that begin with a digit cannot be packages by their names: they are mapped to names.
FOLDERS = {
    "polymask.csrc": "csrc",
    "ladder.python": "0_python",
    "ladder.cython": "1_cython",
    "ladder.clib": "2_clib",
    "ladder.cclass": "3_cclass",
    "ladder.openmp": "4_openmp",
    "ladder.opencl": "5_opencl",
    "ladder.numba": "6_numba",
    "ladder.offload.masks": "7_offload",  # beside the runtime, which is ladder.offload
    "ladder.sycl": "8_sycl",
    "ladder.scanline": "9_scanline",
}
if WHEEL:
    FOLDERS = {"polymask.csrc": "csrc"}

# `make` installs first (POLYMASK_BUILD=later: no extensions), then builds in place, incrementally.
setup(
    packages=[
        *find_packages(include=["polymask*"] if WHEEL else ["polymask*", "ladder*"]),
        *FOLDERS,
    ],
    package_dir=FOLDERS,
    package_data={"polymask": ["py.typed"], "polymask.csrc": ["*.h", "*.cl"]},
    ext_modules=[] if os.environ.get("POLYMASK_BUILD") == "later" else EXTENSIONS,
    cmdclass=COMMANDS,
    options={"build_ext": {"parallel": os.cpu_count()}},
)
