"""The engine as a library that programs link, static or shared, in each way that its README shows.

Its folder is copied, as a release archive has it; an installation is moved, as packages are.
"""

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from checkouts import ROOT
from commands import ran
from release import TRIANGLE, build, project

from polymask import label_mask, label_runs, labels_to_rings, polygon_mask, polygon_masks

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="shared as on Linux"),
]

ENGINE = ROOT / "csrc/engine"
EXAMPLES = ENGINE / "examples"
VERSION = (ENGINE / "VERSION").read_text(encoding="utf-8").strip()
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
COMPILERS = {"cpp": ["c++", "-std=c++20"], "c": ["cc", "-std=c99"]}

# The expected output of both programs, from Python.
PICTURE = ["".join(".#"[i] for i in row) for row in polygon_mask(TRIANGLE, (18, 40), dtype="u1")]


def output_of(*command, **environment):
    """Run a command that must not fail; return its output."""
    completed = ran(command, environment)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return completed.stdout


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """The folder of a release archive, and the archive beside it."""
    if not shutil.which("cmake"):
        pytest.skip("needs cmake")
    folder = tmp_path_factory.mktemp("release") / f"polymask-engine-{VERSION}"
    shutil.copytree(ENGINE, folder, ignore=shutil.ignore_patterns("build", "__pycache__"))
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.make_archive(folder, "gztar", folder.parent, folder.name)
    return folder


@pytest.fixture(scope="module", params=["static", "shared"])
def installation(request, engine):
    """Install and move the library; return whether it is shared, and its folder."""
    folder, shared = engine.with_name(request.param), request.param == "shared"
    # Without optimisation, functions that would be inlined are symbols too.
    output_of("cmake", "-S", engine, "-B", folder / "build", "-DPOLYMASK_TESTS=OFF",
              f"-DBUILD_SHARED_LIBS={'ON' if shared else 'OFF'}", "-DCMAKE_BUILD_TYPE=Debug",
              f"-DCMAKE_INSTALL_PREFIX={folder / 'first'}", "-DCMAKE_INSTALL_LIBDIR=lib"
    )  # fmt: skip
    build(folder)
    for component, files in ("runtime", 2 * shared), ("development", None):
        command = "cmake", "--install", folder / "build", "--component", f"polymask_{component}"
        assert files in (None, output_of(*command).count("-- Installing: "))
    assert (folder / "first/include/polymask/inside_polygon.h").exists()
    minor = f"libpolymask.so.{VERSION.rpartition('.')[0]}"  # before version 1.0
    assert (folder / "first/lib" / minor).exists() == shared
    return shared, (folder / "first").rename(folder / "moved here")


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
    output_of(compiler, standard, "-Ofast", *WARNINGS, source, *options, "-o", program)
    *picture, last = output_of(program, **environment).splitlines()
    assert picture == PICTURE
    assert last == f"polymask {VERSION}" if language == "c" else "thread" in last


def test_masks_are_made_at_the_very_end(flags, tmp_path):
    """In a handler that runs at exit, after the engine's own objects are destroyed."""
    options, environment = flags
    program = tmp_path / "at_exit"
    output_of("c++", "-std=c++20", ENGINE / "tests/at_exit.cpp", *options, "-o", program)
    assert output_of(program, **environment) == "the same\n"


@pytest.mark.parametrize("language", COMPILERS)
def test_cmake_finds_what_was_moved(language, installation, tmp_path):
    """From a project in C++, and from one in C alone."""
    shared, prefix = installation
    languages = {"cpp": "CXX", "c": "C"}[language]
    project(tmp_path, "find_package", language, languages, f"-DCMAKE_PREFIX_PATH={prefix}")
    program = build(tmp_path)
    assert output_of(program).splitlines()[:-1] == PICTURE
    assert ("libpolymask.so" in output_of("ldd", program)) == shared


@pytest.mark.weekly
def test_conan_makes_a_package_and_tries_it(engine, tmp_path):
    """By a project in C++ and C, which is in the archive."""
    if not shutil.which("conan"):
        pytest.skip("needs conan: pip install conan")
    home = {"CONAN_HOME": str(tmp_path)}
    output_of("conan", "profile", "detect", **home)
    command = ["conan", "create", engine, "--build=missing", "--no-remote"]
    output = ran(command, home).stderr
    assert [line for line in output.splitlines() if line in PICTURE] == 2 * PICTURE, output


@pytest.mark.parametrize(
    ("way", "language", "options"),
    [("FetchContent", "c", []), ("add_subdirectory", "cpp", ["-DCMAKE_BUILD_TYPE=Debug"])],
)
def test_a_project_contains_the_engine(way, language, options, engine, tmp_path):
    """Without a build type or with one; its installation has only its own program."""
    (tmp_path / engine.name).symlink_to(engine)
    shutil.copy(f"{engine}.tar.gz", tmp_path)
    project(tmp_path, way, language, "C CXX", *options)
    assert output_of(build(tmp_path)).splitlines()[:-1] == PICTURE
    output_of("cmake", "--install", tmp_path / "build", "--prefix", tmp_path / "new")
    assert [file for file in tmp_path.glob("new/**/*.*") if file.is_file()] == []


LEVELS = {  # of the engine and of the program, by the project's setting
    "-DPOLYMASK_TESTS=OFF": [["-O3"], []],  # no build type
    "-DCMAKE_BUILD_TYPE=Debug": [[], []],
    "-DCMAKE_BUILD_TYPE=RelWithDebInfo": [["-O2"], ["-O2"]],
    "-DCMAKE_CXX_FLAGS=-O1 -ffast-math": [["-O1"], ["-O1"]],
}


@pytest.mark.parametrize("option", LEVELS)
def test_a_project_keeps_its_own_level_of_optimisation(option, engine, tmp_path):
    (tmp_path / engine.name).symlink_to(engine)
    project(tmp_path, "add_subdirectory", "cpp", "CXX", option)
    commands = json.loads((tmp_path / "build/compile_commands.json").read_text())
    commands = {Path(each["file"]).name: each["command"] for each in commands}
    both = commands["checks.cpp"], commands["triangle.cpp"]
    assert [re.findall(" (-O.)", command) for command in both] == LEVELS[option]
    assert re.findall("-f[-no]*fast-math", both[0])[-1] == "-fno-fast-math"


def test_a_project_without_cpp_is_told_to_enable_it(engine, tmp_path):
    (tmp_path / engine.name).symlink_to(engine)
    with pytest.raises(SystemExit, match=r"use project\(consumer LANGUAGES C CXX\)"):
        project(tmp_path, "add_subdirectory", "c", "C")


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
RUN_TIME_TYPE = re.compile(r"(typeinfo|typeinfo name|vtable) for polymask::v\d+_\d+::Interrupted")


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
