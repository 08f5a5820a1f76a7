"""The engine as a library that programs link, static or shared: its symbols, and pkg-config.

It is installed and then moved, as packages are.
"""

import os
import re
import shlex
import shutil
import sys

import pytest
from checkouts import ROOT
from commands import ran
from release import TRIANGLE

from polymask import label_mask, label_runs, labels_to_rings, polygon_mask, polygon_masks

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="shared as on Linux"),
]

ENGINE = ROOT / "csrc/engine"
EXAMPLES = ENGINE / "examples"
VERSION = (ENGINE / "VERSION").read_text(encoding="utf-8").strip()
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
KINDS = ["static", "shared"]
COMPILERS = {"cpp": ["c++", "-std=c++20"], "c": ["cc", "-std=c99"]}

# The expected output of both programs, from Python.
PICTURE = ["".join(".#"[i] for i in row) for row in polygon_mask(TRIANGLE, (18, 40), dtype="u1")]

IN_C = """
cmake_minimum_required(VERSION 3.21)
project(in_c LANGUAGES C)
find_package(polymask REQUIRED)
add_executable(triangle {triangle})
target_link_libraries(triangle PRIVATE polymask::polymask)
"""


def output_of(*command, **environment):
    """Run a command that must not fail; return its output."""
    completed = ran(command, environment)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return completed.stdout


@pytest.fixture(scope="module", params=KINDS)
def installation(request, tmp_path_factory):
    """Install and move the library; return whether it is shared, and its folder."""
    if not shutil.which("cmake"):
        pytest.skip("needs cmake")
    folder = tmp_path_factory.mktemp(request.param)
    build, first, prefix = folder / "build", folder / "first", folder / "moved here"
    shared = request.param == "shared"
    # Without optimisation, functions that would be inlined are symbols too.
    output_of("cmake", "-S", ENGINE, "-B", build, "-DPOLYMASK_TESTS=OFF",
              f"-DBUILD_SHARED_LIBS={'ON' if shared else 'OFF'}", "-DCMAKE_BUILD_TYPE=Debug",
              "-DCMAKE_INSTALL_LIBDIR=lib", f"-DCMAKE_INSTALL_PREFIX={first}")  # fmt: skip
    output_of("cmake", "--build", build, "--parallel", str(os.cpu_count()))
    output_of("cmake", "--install", build)
    first.rename(prefix)
    assert (prefix / "include/polymask/inside_polygon.h").exists()
    return shared, prefix


@pytest.fixture
def flags(installation):
    """Return pkg-config's flags to compile and link with, and the environment to run in."""
    if not shutil.which("pkg-config"):
        pytest.skip("needs pkg-config")
    shared, prefix = installation
    path = {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
    assert output_of("pkg-config", "--modversion", "polymask", **path).strip() == VERSION
    options = shlex.split(output_of("pkg-config", "--cflags", "--libs", "polymask", **path))
    assert ("-DPOLYMASK_SHARED" in options) == shared
    return options, {"LD_LIBRARY_PATH": str(prefix / "lib")} if shared else {}


@pytest.mark.parametrize("language", COMPILERS)
def test_programs_are_compiled_as_pkg_config_says(language, flags, tmp_path):
    compiler, standard = COMPILERS[language]
    if not shutil.which(compiler):
        pytest.skip(f"needs {compiler}")
    options, environment = flags
    source, program = EXAMPLES / f"triangle.{language}", tmp_path / "triangle"
    output_of(compiler, standard, *WARNINGS, source, *options, "-o", program)
    *picture, last = output_of(program, **environment).splitlines()
    assert picture == PICTURE
    assert last == f"polymask {VERSION}" if language == "c" else "thread" in last


def test_masks_are_made_at_the_very_end(flags, tmp_path):
    """In a handler that runs at exit, after the engine's own objects are destroyed."""
    options, environment = flags
    program = tmp_path / "at_exit"
    output_of("c++", "-std=c++20", ENGINE / "tests/at_exit.cpp", *options, "-o", program)
    assert output_of(program, **environment) == "the same\n"


def test_cmake_finds_what_was_moved(installation, tmp_path):
    """The engine's examples do, and a project in C alone."""
    shared, prefix = installation
    (tmp_path / "CMakeLists.txt").write_text(IN_C.format(triangle=EXAMPLES / "triangle.c"))
    for source, names in ((EXAMPLES, ("triangle", "triangle_c")), (tmp_path, ("triangle",))):
        build = tmp_path / f"build {source.name}"
        output_of("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
        output_of("cmake", "--build", build)
        for name in names:
            assert output_of(build / name).splitlines()[:-1] == PICTURE
            assert ("libpolymask.so" in output_of("ldd", build / name)) == shared


@pytest.mark.parametrize("installation", ["shared"], indirect=True)
@pytest.mark.parametrize("language", ["c", "py", "rs"])
def test_other_languages_call_the_shared_library(language, installation, flags, tmp_path):
    library, source = installation[1] / "lib", EXAMPLES / f"many.{language}"
    program = [tmp_path / "many"]
    if language == "py":
        program = [sys.executable, source, library / "libpolymask.so"]
    elif language == "c":
        output_of(*COMPILERS["c"], *WARNINGS, source, *flags[0], "-o", *program)
    elif not shutil.which("rustc"):
        pytest.skip("needs rustc")
    else:
        output_of("rustc", "-D", "warnings", source, "-L", library, "-lpolymask", "-o", *program)

    polygons, shape = [[(2, 1), (37, 3), (9, 17)], [(20, 9), (34, 9), (34, 16), (20, 16)]], (18, 40)
    image, runs = label_mask(polygons, shape), label_runs(polygons, shape)
    lines = ["".join(".12"[label] for label in row) for row in image]
    for i, mask in enumerate(polygon_masks(polygons, shape)):
        rows = mask.any(axis=1).nonzero()[0]
        row, start, stop = (values[runs.offsets[i + 1] - 1] for values in runs[:3])
        lines.append(f"feature {i + 1}: {mask.sum()} pixels, rows {rows[0]} to {rows[-1]}, ")
        lines[-1] += f"last run: row {row}, columns {start} to {stop - 1}"
    regions = labels_to_rings(image, center=False).items()
    corners = [(label, *rings[0][0]) for label, polygons in regions for rings in polygons]
    for i, (label, x, y) in enumerate(corners):
        lines.append(f"region {i + 1}: label {label}, from ({x:g}, {y:g})")
    assert output_of(*program, **flags[1]).splitlines() == [*lines, f"polymask {VERSION}"]


def symbols(file, *options):
    """Return the types and demangled names of the symbols that a file defines."""
    if not shutil.which("nm"):
        pytest.skip("needs nm")
    lines = output_of("nm", "--defined-only", "-C", *options, file).splitlines()
    return [line.split(maxsplit=2)[1:] for line in lines if re.match("[0-9a-f]{8}", line)]


def public_names():
    """Return the unqualified names of the functions that the headers mark as public."""
    text = "\n".join(file.read_text("utf-8") for file in ENGINE.glob("include/polymask/*.h*"))
    text = re.sub(r"^ *#[^\n]*|/\*.*?\*/", "", text, flags=re.M | re.S)
    return set(re.findall(r"POLYMASK_API [^;{(]*?(~?\w+=?)\(", text))


def last_name(symbol):
    """Return `write` for "polymask::TracedOutlines::write(std::span<...>) const"."""
    symbol = re.sub(r"<[\w ]+>::", "::", symbol)  # members of class templates
    name = re.search(r"polymask::[\w:]*?(~?\w+=?)(?=$|[(<\[])", symbol)
    return name[1] if name else symbol


# Without it a program could not catch what a shared library throws.
RUN_TIME_TYPE = re.compile(r"(typeinfo|typeinfo name|vtable) for polymask::Interrupted")


@pytest.mark.parametrize("installation", ["shared"], indirect=True)
def test_a_shared_library_exports_the_public_interface_alone(installation):
    _, prefix = installation
    exported = {name for _, name in symbols(prefix / "lib/libpolymask.so", "-D")}
    functions = {name for name in exported if not RUN_TIME_TYPE.fullmatch(name)}
    assert len(exported - functions) == 3
    assert [name for name in functions if "detail::" in name] == []
    assert {last_name(name) for name in functions} - {"what"} == public_names()
    assert all(re.match(r"(\w+ )?polymask(::|_)", name) for name in functions), functions


@pytest.mark.parametrize("installation", ["static"], indirect=True)
def test_every_public_function_is_marked(installation):
    """An unmarked one would exist only for programs that link the static library."""
    _, prefix = installation
    public = {
        last_name(name)
        for kind, name in symbols(prefix / "lib/libpolymask.a")
        if kind == "T" and "detail::" not in name and "::Parts" not in name
    }
    assert public - public_names() == {"what"}
    assert "polymask_fill_mask" in public
