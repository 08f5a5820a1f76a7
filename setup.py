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
    *sorted(glob("csrc/*.[hp]*") + glob("polymask/cost/*.h")),
]


def extension(name, *sources, language=None, openmp=False, links=None, needs=None, depends=()):
    """Describe one extension module; the language is C unless it says C++.

    `needs` is a package, and its library, that it is compiled and linked with: where that is not
    installed, the module is left out, and its rung says what to install.
    """
    made = Extension(
        f"polymask.{name}",  # the full dotted name, even where the folder is called otherwise
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
    "engine",
    *sorted(glob("csrc/engine/src/**/*.cpp", recursive=True)),
    language="c++",
    depends=sorted(
        file
        for suffix in ("h", "hpp", "inl")
        for file in glob(f"csrc/engine/**/*.{suffix}", recursive=True)
    ),
)

SYCL = "dpctl", "DPCTLSyclInterface"

EXTENSIONS = [
    extension("cython.compiled", "0_python/tuples.py"),  # plain Python, compiled as it is
    extension("cython.typed", "1_cython/typed.pyx"),
    extension("clib.points", "2_clib/points.pyx", "csrc/points_inside_polygon.c"),
    extension("cclass.polygon", "3_cclass/polygon.pyx"),
    extension("cclass.cpp", "3_cclass/cpp.pyx", "csrc/polygon.cpp", language="c++"),
    extension("openmp.prange", "4_openmp/prange.pyx", openmp=True),
    extension("openmp.simd", "4_openmp/simd.pyx", openmp=True),
    extension("sycl.native", "8_sycl/native.pyx", language="c++", needs=SYCL),
    extension("scanline.engine", "9_scanline/engine.pyx", language="c++", links=ENGINE),
    extension("scanline.threads", "9_scanline/threads.pyx", language="c++", links=ENGINE),
    extension("masks._engine", "polymask/masks/_engine.pyx", language="c++", links=ENGINE),
    extension("masks._many", "polymask/masks/_many.pyx", language="c++", links=ENGINE),
    extension("masks._outlines", "polymask/masks/_outlines.pyx", language="c++", links=ENGINE),
    extension("masks._summaries", "polymask/masks/_summaries.pyx", language="c++", links=ENGINE),
    extension("masks._coverage", "polymask/masks/_coverage.pyx", language="c++", links=ENGINE),
    extension("forms._rle", "polymask/forms/_rle.pyx", language="c++", links=ENGINE),
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

EXTENSIONS = [e for e in EXTENSIONS if with_its_package(e)]
if sys.platform == "win32":  # the library alone: the rungs are written for gcc and clang
    LIBRARY = "polymask._", "polymask.masks._", "polymask.forms._"
    EXTENSIONS = [e for e in EXTENSIONS if e.name.startswith(LIBRARY)]

# Folders that begin with a digit cannot be packages by their names: they are mapped to names.
FOLDERS = {
    "polymask.csrc": "csrc",
    "polymask.python": "0_python",
    "polymask.cython": "1_cython",
    "polymask.clib": "2_clib",
    "polymask.cclass": "3_cclass",
    "polymask.openmp": "4_openmp",
    "polymask.opencl": "5_opencl",
    "polymask.numba": "6_numba",
    "polymask.offload.masks": "7_offload",  # beside the runtime, which is polymask.offload
    "polymask.sycl": "8_sycl",
    "polymask.scanline": "9_scanline",
}

# `make` installs first (POLYMASK_BUILD=later: no extensions), then builds in place, incrementally.
setup(
    packages=[
        *find_packages(include=["polymask", "polymask.*", "ladder", "ladder.*"]),
        *FOLDERS,
    ],
    package_dir=FOLDERS,
    package_data={
        "polymask": ["py.typed"],
        "polymask.report.page": ["*.jinja", "*.css", "*.js"],
    }
    | {name: ["*.h", "*.hpp", "*.cl", "*.pyx", "*.pyi"] for name in FOLDERS}
    | {"polymask.csrc": ["*.h", "*.hpp", "*.cl", "offload/*.[ch]", "engine/exact_flags.txt"]},
    ext_modules=[] if os.environ.get("POLYMASK_BUILD") == "later" else EXTENSIONS,
    cmdclass=COMMANDS,
    options={"build_ext": {"parallel": os.cpu_count()}},
)
