"""The commands of setup.py: the usual ones, without stale or incomplete results."""

import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from threading import Lock

from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

from building import openmp
from building.alone import alone
from building.editable import EditableWheel
from building.record import Record
from ladder.common.staleness import RECORD, digest
from polymask.common import saving

COMPILER_ERROR = re.compile(r"exit (?:status|code) \d")  # in setuptools' message about it
IMPORTABLE = Path(__file__).with_name("importable.py")


class Build(build):
    """The build of a wheel; it starts from scratch, so that deleted files are not included."""

    def run(self):
        """Delete the results of older builds, then build."""
        if Path(self.build_lib).resolve().is_relative_to(Path("build").resolve()):
            shutil.rmtree(self.build_lib, ignore_errors=True)  # not a folder that the user chose
        super().run()


class BuildExtensions(build_ext):
    """The usual build, but of stale modules only, and one build at a time.

    Our extensions have four additional attributes: `flags`, by compiler family; `openmp`, whether
    the extension uses OpenMP; `links`, a static library, described like an extension; `needs`, a
    package that the extension is linked with, and its library. Wheels have no module with `needs`.

    Two options are for profiling, into a separate folder (`--build-lib`, `--build-temp`). Modules
    for timing are never built with them. `--debug` keeps line numbers.
    """

    user_options = [  # noqa: RUF012, distutils requires a list
        *build_ext.user_options,
        ("only=", None, "build only this module (the key of a rung, or a name in polymask)"),
        ("profile", None, "make the module's functions visible to cProfile"),
    ]
    boolean_options = [*build_ext.boolean_options, "profile"]  # noqa: RUF012

    def initialize_options(self):
        """Build all modules, without profiling."""
        super().initialize_options()
        self.only, self.profile = None, False

    def finalize_options(self):
        """Select the extensions, and set the folders."""
        super().finalize_options()
        if self.only:
            self.extensions = [e for e in self.extensions if e.name.partition(".")[2] == self.only]
            if not self.extensions:
                raise SystemExit(f"no module to build is called {self.only}: see setup.py")
        elif not self.inplace:  # a wheel: modules with `needs` contain local paths
            self.extensions = [e for e in self.extensions if not e.needs]
        self.linked = [*{e.links.name: e.links for e in self.extensions if e.links}.values()]
        self.in_place = bool(self.inplace)  # setuptools hides that while it builds
        self.store = Path("build/store" if self.in_place else self.build_temp)
        self.cython = Path("build" if self.in_place else self.build_temp, "cython")

    def run(self):
        """Build under the lock."""
        with alone("build/lock"):
            super().run()

    def build_extensions(self):
        """Update all selected modules, or stop with an error."""
        self.family = "msvc" if self.compiler.compiler_type == "msvc" else "unix"
        self.record = Record(RECORD if self.in_place else self.store / "record.json", self.tools())
        self.recording = Lock()
        targets = [*self.linked, *self.extensions]
        if self.in_place and not self.only:
            self.delete_unlisted(targets)
        self.add_flags(targets)
        self.plans = {e.name: self.plan(e) for e in targets}
        fresh = [e for e in targets if self.record.is_fresh(e.name, **self.plans[e.name])]
        if stale := [e for e in targets if self.force or e not in fresh]:
            self.record.forget(e.name for e in stale)
            for e in stale:  # an error later in the build leaves no old module importable
                self.plans[e.name]["file"].unlink(missing_ok=True)
            self.make(stale)
        self.check()

    def copy_extensions_to_source(self):
        """Do nothing: the modules are in place already."""

    # Staleness

    def tools(self):
        """Return the tools of the build; a change to them rebuilds everything."""
        return {
            "python": [sys.version, sysconfig.get_config_var("EXT_SUFFIX")],
            "cython": version("cython"),
            "compilers": self.compilers(),
        }

    def compilers(self):
        """Return the compilers' commands and versions, or None if a compiler is missing."""
        if self.family == "msvc":
            self.compiler.initialize()
            return [self.compiler.cc]  # its path contains the version
        compilers = [self.compiler.compiler_so, self.compiler.compiler_so_cxx]
        linkers = [self.compiler.linker_so, self.compiler.linker_so_cxx]
        options = {"capture_output": True, "text": True}
        try:
            versions = [
                subprocess.run([*compiler, "--version"], check=False, **options).stdout
                for compiler in compilers
            ]
        except OSError:
            return None
        return [*map(shlex.join, compilers + linkers), *versions]

    def add_flags(self, targets):
        """Set the flags and libraries of all targets, whether stale or not."""
        compile_flags, link_flags = self.openmp_flags(targets)
        for e in targets:
            e.define_macros += [("POLYMASK_FLAGS", json.dumps(" ".join(e.flags[self.family])))]
            e.extra_compile_args += e.flags[self.family]
            e.extra_compile_args += ["-g1"] if self.debug and self.family == "unix" else []
            if e.openmp:
                e.extra_compile_args += compile_flags
                e.extra_link_args += link_flags
            if e.links:
                e.extra_objects += [str(self.place(e.links))]

    def openmp_flags(self, targets):
        """Return the flags for OpenMP; none, with a warning, if the compiler accepts none."""
        if not any(e.openmp for e in targets):
            return [], []
        self.record.openmp = self.record.openmp or openmp.flags(self.compiler, self.family)
        if not self.record.openmp:  # tested in each build: it may be installed by now
            name = self.compiler.cc if self.family == "msvc" else self.compiler.compiler_so[0]
            self.warn(
                f"{'!' * 70}\nNO OPENMP: {name} accepts none of its flags. The threaded rungs are "
                f"built\nwithout threads and will not run: install libgomp or libomp, and build "
                f"again.\n{'!' * 70}"
            )
        return self.record.openmp or ([], [])

    def plan(self, e):
        """Return the file of a module or a library, its inputs, and its recipe."""
        inputs = [*e.sources, *e.depends]
        if e.links:
            inputs += [*e.links.sources, *e.links.depends]
        recipe = [e.language, e.include_dirs, e.extra_compile_args, e.extra_link_args]
        recipe += [list(map(list, e.define_macros)), e.extra_objects, self.cython_options()]
        return {
            "file": self.place(e),
            "inputs": {name: digest(name) for name in inputs},
            "recipe": recipe,
        }

    def place(self, e):
        """Return the final path of a module or a library."""
        if e in self.linked:
            return self.store / self.compiler.library_filename(e.name.replace(".", "_"))
        package, _, _ = e.name.rpartition(".")
        file = Path(self.get_ext_filename(e.name))
        return Path(self.folder(package), file.name) if self.in_place else self.build_lib / file

    def folder(self, package):
        """Return the folder of a package's sources."""
        return self.get_finalized_command("build_py").get_package_dir(package)

    def delete_unlisted(self, targets):
        """Delete modules that setup.py no longer lists, such as renamed ones."""
        unlisted = self.record.entries.keys() - {e.name for e in targets}
        for name in unlisted:
            package, _, _ = name.rpartition(".")
            file = Path(self.get_ext_filename(name)).name
            Path(self.folder(package), file).unlink(missing_ok=True)
        if unlisted:
            self.record.forget(unlisted)

    # The build

    def make(self, stale):
        """Translate with Cython, compile and link; an error ends the build.

        The folder is new: the compiler of a killed build may still write into the old one.
        """
        for old in Path("build").glob("scratch-*"):
            shutil.rmtree(old, ignore_errors=True)
        saved = self.extensions, self.build_lib, self.build_temp
        self.extensions = [e for e in self.extensions if e in stale]
        new = {"prefix": "scratch-", "dir": "build", "ignore_cleanup_errors": True}
        with tempfile.TemporaryDirectory(**new) as folder, report_full_disk():
            self.build_lib, self.build_temp = f"{folder}/lib", f"{folder}/temp"
            self.translate()
            for library in self.linked:
                if library in stale:
                    self.build_library(library)
            super().build_extensions()
        self.extensions, self.build_lib, self.build_temp = saved

    def cython_options(self):
        """Return Cython's options: annotated pages for students, line numbers for profilers."""
        return {
            "compiler_directives": {
                "freethreading_compatible": True,  # tested by tests/library/test_free_threaded.py
                "profile": bool(self.profile),
            },
            "emit_linenums": bool(self.debug),  # of the .pyx; not in annotated C
            "annotate": not self.only,
            "shared_utility_qualified_name": "polymask._cyutility",
        }

    def translate(self):
        """Translate each .pyx to a C file with Cython, and use that as the source."""
        from Cython.Build import cythonize
        from Cython.Compiler.Errors import CompileError

        for e in self.extensions:  # otherwise Cython would use an incomplete C file as a source
            for source in e.sources:
                (self.cython / source).with_suffix(".c").unlink(missing_ok=True)
        try:
            results = cythonize(
                self.extensions,
                include_path=["csrc"],
                build_dir=str(self.cython),
                force=True,
                quiet=True,
                **self.cython_options(),
            )
        except CompileError as error:
            raise SystemExit(f"Cython stopped: {error}") from None
        for e, result in zip(self.extensions, results):  # noqa: B905, both list the extensions
            e.sources, e.define_macros = result.sources, result.define_macros

    def build_extension(self, e):
        """Compile and link a module."""
        with shorten_error(e.name):
            super().build_extension(e)
        self.finish(e, self.get_ext_fullpath(e.name))

    def build_library(self, library):
        """Compile a library's files, several at a time."""
        compile_one = functools.partial(
            self.compiler.compile,
            output_dir=self.build_temp,
            macros=library.define_macros,
            include_dirs=library.include_dirs,
            extra_postargs=library.extra_compile_args,
        )
        with shorten_error(library.name), ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = [*chain(*pool.map(compile_one, ([source] for source in library.sources)))]
        name = library.name.replace(".", "_")
        self.compiler.create_static_lib(objects, name, output_dir=self.build_temp)
        self.finish(library, Path(self.build_temp, self.compiler.library_filename(name)))

    def finish(self, e, file):
        """Move a file into place in one step, and add it to the record."""
        place = self.plans[e.name]["file"]
        place.parent.mkdir(parents=True, exist_ok=True)
        new = place.with_name(f".{place.name}")
        shutil.copy(file, new)
        os.replace(new, place)
        with self.recording:  # modules are built in parallel
            self.record.add(e.name, **self.plans[e.name])

    def check(self):
        """Import the modules once, in a new process; stop if that fails."""
        if all(self.record.entries[e.name]["checked"] for e in self.extensions):
            return
        if sysconfig.get_config_var("EXT_SUFFIX") not in EXTENSION_SUFFIXES:
            return  # cross-compiled for another processor
        if os.environ.get("POLYMASK_SANITIZE"):
            return  # such modules import only after the sanitizers' library
        packages = {name.partition(".")[0] for name in self.distribution.packages}
        packages = [*sorted(packages), *sorted(self.distribution.package_dir)]
        job = {
            "packages": {name: os.path.abspath(self.folder(name)) for name in packages},
            "modules": {e.name: os.path.abspath(self.place(e)) for e in self.extensions},
        }
        command = [sys.executable, "-I", IMPORTABLE]
        process = subprocess.run(
            command, input=json.dumps(job), capture_output=True, text=True, check=False
        )
        if process.returncode:
            output = process.stdout + process.stderr
            raise SystemExit(output.strip() or f"the import ended with {process.returncode}")
        for e in self.extensions:
            self.record.entries[e.name]["checked"] = True
        self.record.write()


@contextmanager
def shorten_error(name):
    """Shorten setuptools' error about a compiler, which has already printed the reason."""
    try:
        yield
    except CompileError as error:
        if not COMPILER_ERROR.search(str(error)):  # the compiler did not start, or was killed
            raise
        raise CompileError(f"{name} does not compile: see the errors above") from None


@contextmanager
def report_full_disk():
    """Report a full disk as the cause of a failed build, before its files are deleted."""
    try:
        yield
    except (Exception, SystemExit) as error:
        # Compilers' messages go only to the terminal, so check the free space.
        saving.check_build(str(error) if isinstance(error, OSError) else "", "build")
        raise


COMMANDS = {"build": Build, "build_ext": BuildExtensions, "editable_wheel": EditableWheel}
