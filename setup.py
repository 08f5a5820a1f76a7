"""How polymask is built; `make build` runs it. Read it from the top: it is a lesson too.

An extension module is a C or C++ file that Python imports. Cython writes that file from a .pyx,
the compiler makes the module from it, and an Extension says how: its full name, its sources, its
language, its flags.
"""

import json
import os
import shlex
import tempfile
from concurrent.futures import ThreadPoolExecutor
from glob import glob
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, LinkError

# The flags of every extension. No -march=native: the same binary runs on every machine of a
# class. No -ffast-math, no fused multiply-add: the masks are equal to the bit.
FLAGS = ["-O3", "-g0", "-ffp-contract=off"]
CXX_FLAGS = ["-std=c++20"]

# How compilers spell OpenMP: flags to compile with, flags to link with. The first that works is
# taken (OpenMPProbe below).
OPENMP_FLAGS = [
    (["-fopenmp"], ["-fopenmp"]),  # gcc, and clang with its own libomp
    (["-Xpreprocessor", "-fopenmp"], ["-lomp"]),  # Apple's clang with libomp from elsewhere
]

# A change in one of these renews every extension.
SHARED = ["setup.py", *sorted(glob("csrc/*.h") + glob("csrc/*.hpp") + glob("csrc/*.pxd"))]


# The scanline engine is compiled once, into a static library that some extensions link.
ENGINE = sorted(glob("csrc/engine/src/*.cpp"))
ENGINE_HEADERS = sorted(
    header
    for suffix in ("hpp", "inl")
    for header in glob(f"csrc/engine/**/*.{suffix}", recursive=True)
)


def extension(name, *sources, language=None, openmp=False, engine=False):
    """Describe one extension module; the language is C unless it says C++."""
    made = Extension(
        f"polymask.{name}",  # the full dotted name, even where the folder is called otherwise
        list(sources),
        language="c++" if engine else language,
        include_dirs=["csrc", "csrc/engine/include"],
        depends=[*SHARED, *(ENGINE + ENGINE_HEADERS if engine else [])],
        extra_compile_args=[*FLAGS, *(CXX_FLAGS if engine or language == "c++" else [])],
        define_macros=[("POLYMASK_FLAGS", json.dumps(" ".join(FLAGS)))],
    )
    made.openmp, made.engine = openmp, engine
    return made


EXTENSIONS = [
    extension("cython.compiled", "0_python/tuples.py"),  # plain Python, compiled as it is
    extension("cython.typed", "1_cython/typed.pyx"),
    extension("clib.points", "2_clib/points.pyx", "csrc/points_inside_polygon.c"),
    extension("cclass.polygon", "3_cclass/polygon.pyx"),
    extension("cclass.cpp", "3_cclass/cpp.pyx", "csrc/polygon.cpp", language="c++"),
    extension("openmp.prange", "4_openmp/prange.pyx", openmp=True),
    extension("openmp.simd", "4_openmp/simd.pyx", openmp=True),
    extension("scanline.engine", "9_scanline/engine.pyx", openmp=True, engine=True),
    extension("scanline.threads", "9_scanline/threads.pyx", openmp=True, engine=True),
    extension("_engine", "polymask/_engine.pyx", openmp=True, engine=True),
    extension("_prices", "polymask/_prices.pyx", openmp=True),
    extension("_build_facts", "polymask/_build_facts.pyx", openmp=True),
    extension("_cyutility", "polymask/_cyutility.c"),  # Cython's memoryviews, once for all
]

# Folders that begin with a digit cannot be packages by their names: they are mapped to names.
FOLDERS = {
    "polymask.csrc": "csrc",
    "polymask.python": "0_python",
    "polymask.cython": "1_cython",
    "polymask.clib": "2_clib",
    "polymask.cclass": "3_cclass",
    "polymask.openmp": "4_openmp",
    "polymask.opencl": "5_opencl",
    "polymask.scanline": "9_scanline",
}


class BuildExtensions(build_ext):
    """The usual build, with Cython and the OpenMP probe, that leaves no stale module behind.

    Two options are for profiling, into a folder of its own (`--build-lib`, `--build-temp`): a
    module that is to be timed is never built with them. `--debug` keeps the numbers of lines.
    """

    user_options = [  # noqa: RUF012, distutils wants a list
        *build_ext.user_options,
        ("only=", None, "build this module alone, say cython.typed"),
        ("profile", None, "let cProfile see the module's functions"),
    ]
    boolean_options = [*build_ext.boolean_options, "profile"]  # noqa: RUF012

    def initialize_options(self):
        """Build all, for use."""
        super().initialize_options()
        self.only, self.profile = None, False

    def finalize_options(self):
        """Leave but one extension, if that is wanted."""
        super().finalize_options()
        if self.only:
            self.extensions = [e for e in self.extensions if e.name == f"polymask.{self.only}"]

    def run(self):
        """Drop what is stale, let Cython write the C files, compile."""
        from Cython.Build import cythonize
        from Cython.Compiler.Errors import CompileError as CythonError

        inputs = {e.name: [*e.sources, *e.depends] for e in self.extensions}
        self.stale = [e for e in self.extensions if self.drop_stale(e, inputs[e.name])]
        try:
            made = cythonize(
                self.extensions,
                include_path=["csrc"],
                build_dir=f"{self.build_temp}/cython" if self.only else "build/cython",
                compiler_directives={"profile": bool(self.profile)},
                emit_linenums=bool(self.debug),  # those of the .pyx; not in annotated C
                annotate=not self.only,
                force=bool(self.only and self.stale),
                quiet=True,
                shared_utility_qualified_name="polymask._cyutility",
            )
        except CythonError as error:
            raise SystemExit(f"Cython stopped: {error}") from None
        for e, m in zip(self.extensions, made):  # noqa: B905, both are lists of the extensions
            e.sources, e.define_macros = m.sources, m.define_macros
        if self.inplace:  # importing holds a module against this list
            Path("build").mkdir(exist_ok=True)
            Path("build/inputs.json").write_text(json.dumps(inputs, indent=1))
        super().run()

    def module(self, e):
        """Where the module lies in the checkout."""
        package = e.name.rpartition(".")[0]
        folder = self.get_finalized_command("build_py").get_package_dir(package)
        return Path(folder) / Path(self.get_ext_filename(e.name)).name

    def drop_stale(self, e, inputs):
        """Delete what is older than its inputs; return whether the module must be compiled.

        An error later in the build then leaves no old module importable.
        """
        changed = max(os.path.getmtime(i) for i in inputs if os.path.exists(i))
        module, built = self.module(e), Path(self.build_lib, self.get_ext_filename(e.name))
        if self.inplace and module.exists() and module.stat().st_mtime < changed:
            module.unlink()
        if built.exists() and (built.stat().st_mtime < changed or not module.exists()):
            built.unlink()  # the module in the checkout is a copy of it
        return not built.exists()

    def build_extensions(self):
        """Add OpenMP's flags and the engine to the extensions that want them, then compile."""
        wanted = any(e.openmp for e in self.stale)
        compile_flags, link_flags = self.probe_openmp() if wanted else ([], [])
        for e in self.stale:
            e.extra_compile_args += ["-g1"] if self.debug else []
            if e.openmp:
                e.extra_compile_args += compile_flags
                e.extra_link_args += link_flags
        if any(e.engine for e in self.stale):
            library = self.build_engine(compile_flags)
            for e in self.stale:
                e.extra_objects += [library] if e.engine else []
        super().build_extensions()

    def build_engine(self, openmp_flags):
        """Compile the engine's files, several at a time, into a static library; return its path."""

        def compile_one(source):
            return self.compiler.compile(
                [source],
                output_dir=self.build_temp,
                include_dirs=["csrc", "csrc/engine/include"],
                extra_postargs=[*FLAGS, *CXX_FLAGS, *openmp_flags, *(["-g1"] * bool(self.debug))],
            )

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = [made for one in pool.map(compile_one, ENGINE) for made in one]
        self.compiler.create_static_lib(objects, "polymask_engine", output_dir=self.build_temp)
        return os.path.join(self.build_temp, self.compiler.library_filename("polymask_engine"))

    def probe_openmp(self):
        """Find the flags for OpenMP: compile and link a file that needs it."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "probe.c")
            source.write_text(
                "#include <omp.h>\nint main(void) { return !omp_get_max_threads(); }\n"
            )
            for compile_flags, link_flags in OPENMP_FLAGS:
                try:
                    with silence():
                        objects = self.compiler.compile(
                            [str(source)], output_dir="/", extra_postargs=compile_flags
                        )
                        self.compiler.link_executable(
                            objects, str(Path(folder, "probe")), extra_postargs=link_flags
                        )
                except (CompileError, LinkError):
                    continue
                return compile_flags, link_flags
        self.warn(
            f"{'!' * 70}\nNO OPENMP: {shlex.join(self.compiler.compiler_so[:1])} takes none of its "
            f"flags. The threaded rungs are built\nserial and will refuse to run; install libgomp "
            f"or libomp, touch setup.py, build again.\n{'!' * 70}"
        )
        return [], []


class silence:  # noqa: N801, reads as a statement
    """Send the compiler's own output to nowhere: a probe may fail."""

    def __enter__(self):
        self.kept = os.dup(1), os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.close(nowhere)

    def __exit__(self, *error):
        for descriptor, kept in zip((1, 2), self.kept):  # noqa: B905
            os.dup2(kept, descriptor)
            os.close(kept)


# `make` installs first (POLYMASK_BUILD=later: no extensions), then builds in place, incrementally.
setup(
    packages=[*find_packages(include=["polymask", "polymask.*"]), *FOLDERS],
    package_dir=FOLDERS,
    package_data={
        "polymask": ["py.typed", "*.pyi"],
        "polymask.report.html": ["*.jinja", "*.css", "*.js"],
    }
    | {name: ["*.h", "*.hpp", "*.cl", "*.pyx"] for name in FOLDERS},
    ext_modules=[] if os.environ.get("POLYMASK_BUILD") == "later" else EXTENSIONS,
    cmdclass={"build_ext": BuildExtensions},
    options={"build_ext": {"parallel": os.cpu_count()}},
)
