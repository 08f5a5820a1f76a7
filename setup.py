"""The build of polymask, which `make build` runs. Read it from the top: it is a lesson, too.

An extension module is compiled C or C++ code that Python imports. Cython translates a .pyx file to
C or C++, and the compiler builds the module from that. An `Extension` has the full name of the
module, its sources, its language and its flags. The commands are those of setuptools; `building`
makes them safe to interrupt and to repeat.
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
    """Read the flags that keep masks equal to the bit; they come after the user's flags."""
    return Path("csrc/engine", name).read_text(encoding="utf-8").split()


# For gcc and clang, and for Microsoft's compiler. Without -march=native, the same binary runs on
# every processor of an architecture; without -ffast-math, it computes the same mask there.
FLAGS = {
    "unix": ["-O3", "-g0", *exact("exact_flags.txt")],
    "msvc": ["/O2", *exact("exact_flags_msvc.txt")],
}
CXX_FLAGS = {
    # A module exports only its PyInit function: it never calls the engine of another module.
    "unix": ["-std=c++20", "-pthread", "-fvisibility=hidden", "-fvisibility-inlines-hidden"],
    "msvc": ["/std:c++20", "/EHsc"],
}

# With -Ofast or -ffast-math, the linker makes the whole process flush denormals to zero.
LINK_FLAGS = FLAGS["unix"][:] if sys.platform != "win32" else []

# With POLYMASK_SANITIZE=address,undefined, gcc's sanitizers check every access and operation.
# Python cannot load such modules without preparation, so `make sanitize` builds them in a copy,
# and a build in a clone refuses the variable.
SANITIZERS = os.environ.get("POLYMASK_SANITIZE")
SANITIZER_FLAGS = [f"-fsanitize={SANITIZERS}", "-fno-sanitize-recover=all"] if SANITIZERS else []
if SANITIZERS:
    FLAGS["unix"] += [*SANITIZER_FLAGS, "-O1", "-g1", "-fno-omit-frame-pointer"]
    if Path(".git").exists():
        sys.exit("POLYMASK_SANITIZE is for a copy, as `make sanitize` makes one: unset it here")

# The rule, in csrc: a part of the engine, which csrc/inside_polygon.h includes.
RULE = [f"engine/include/polymask/{name}.h" for name in ("inside_polygon", "portable")]

# If one of these files changes, every extension is rebuilt.
SHARED = [
    "setup.py",
    *sorted(glob("csrc/*.[hp]*") + glob("ladder/cost/*.h")),
    *(f"csrc/{name}" for name in RULE),
]


def extension(name, *sources, language=None, openmp=False, links=None, needs=None, depends=()):
    """Return an extension module, in C unless `language` is "c++".

    `needs` is a package and its library, with which the module is compiled and linked. Without the
    package, the module is left out, and its rung names the package to install.
    """
    made = Extension(
        name,  # the full dotted name, even if its folder has another name
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
        made.extra_link_args += [
            "-pthread"
        ]  # for the standard library, which includes it elsewhere
    made.openmp = openmp  # its flags depend on the compiler, so the build finds them
    made.links, made.needs = links, needs
    return made


def with_its_package(made):
    """Add the folders of the package that an extension needs; return False if it is missing."""
    if made.needs is None:
        return True
    package, library = made.needs
    try:
        made.define_macros += [("POLYMASK_NEEDS", f'"{version(package)}"')]  # a change rebuilds it
    except PackageNotFoundError:
        return False
    folder = Path(find_spec(package).origin).parent
    made.include_dirs += [str(folder / "include")]
    # RPATH, unlike RUNPATH, is also used for libraries that the library needs. pip installs these
    # beside the folder of Python's packages.
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
    extension("ladder.cython.compiled", "0_python/tuples.py"),  # plain Python, unchanged
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
    extension("polymask._cyutility", "polymask/_cyutility.c"),  # Cython's memoryviews, shared
]

EXTENSIONS = [e for e in EXTENSIONS if with_its_package(e)]
# A wheel has only the library, because the course is read and run in a clone. So has a build on
# Windows, because the rungs are written for gcc and clang.
WHEEL = "bdist_wheel" in sys.argv
if WHEEL or sys.platform == "win32":
    EXTENSIONS = [e for e in EXTENSIONS if e.name.startswith("polymask.")]

# A package's name cannot begin with a digit, so these folders are mapped to names.
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
    package_data={"polymask": ["py.typed"], "polymask.csrc": ["*.h", "*.cl", *RULE]},
    ext_modules=[] if os.environ.get("POLYMASK_BUILD") == "later" else EXTENSIONS,
    cmdclass=COMMANDS,
    options={"build_ext": {"parallel": os.cpu_count()}},
)
