"""Checks of the source code: the places of the rule, and errors that no compiler reports."""

import platform
import re
import shutil

import pytest
from cases import folded
from commands import ran

from ladder import registry

CODE = {".py", ".pyx", ".pxd", ".pxi", ".ipynb"}
CODE |= {".c", ".h", ".cpp", ".hpp", ".inl", ".cl", ".cu", ".cuh"}

# The only files that contain the rule. Add a file only if the rule is what it teaches; the engine's
# tests, the judge of the exercises and its tests have their own formulas.
MAY_SPELL_THE_RULE = {
    "csrc/engine/include/polymask/inside_polygon.h",
    "0_python/tuples.py",
    "0_python/vectorized.py",
    "1_cython/typed.pyx",
    "ladder/registry/reference.py",
    "polymask/cli/engine_check.py",  # whether an installed library works
    "6_numba/vectorize.py",
    "8_sycl/dpnp_array.py",
    "9_scanline/rows.py",
    "csrc/engine/tests/test_large.cpp",
    "0_python/pictures/ray.py",  # the crossings that pictures show
    "9_scanline/pictures/toggles.py",
    "4_openmp/exercises/scratch/crossings.h",  # whose results threads must not share
    "9_scanline/exercises/half_open/half_open.py",  # its rows
    "9_scanline/exercises/window/window.py",  # its coordinates, which must not be moved
    "tests/workshop/test_student_masks.py",  # wrong roundings, which must be detected
    "csrc/engine/src/many/value_sample.hpp",  # between two quantiles
    "notebooks/walkthrough.ipynb",  # for readers to change
}

# The crossing of an edge: a product of two differences divided by a third, in any order and with
# any names. Spaces are removed before the search.
DIFFERENCE = r"\([^()]+-[^()]+\)"
RULE = re.compile(
    rf"{DIFFERENCE}\*{DIFFERENCE}/{DIFFERENCE}"  # (y - y1) * (x2 - x1) / (y2 - y1)
    rf"|{DIFFERENCE}/{DIFFERENCE}\*{DIFFERENCE}"  # (y - y1) / (y2 - y1) * (x2 - x1)
    rf"|{DIFFERENCE}\*\({DIFFERENCE}/{DIFFERENCE}\)"  # (y - y1) * ((x2 - x1) / (y2 - y1))
)


def rung_folders(root):
    return sorted({root / rung.folder for rung in registry.RUNGS})


def rung_files(root):
    return sorted({root / rung.file for rung in registry.RUNGS})


def spells_the_rule(text):
    return bool(RULE.search(re.sub(r"\s+", "", text)))


def test_the_rule_is_only_where_it_is_the_lesson(files, root):
    names = {
        file.relative_to(root).as_posix()
        for file in files
        if file.suffix in CODE
        and file.name != "test_rungs_code.py"
        and spells_the_rule(file.read_text(encoding="utf-8"))
    }
    assert names == {name for name in MAY_SPELL_THE_RULE if (root / name).exists()}


# Files that repeat the flags, for a lesson or to document them; all others read the original file.
SPELL_THE_FLAGS = {
    "exact_flags.txt": {
        "1_cython/exercises/setup/exercise.toml",
        "1_cython/exercises/setup/setup.py",
        "1_cython/exercises/setup/task.md",
        "2_clib/exercises/wrap/setup.py",
        "4_openmp/exercises/prange/exercise.toml",
        "4_openmp/exercises/prange/hints.md",
        "4_openmp/exercises/prange/setup.py",
        "4_openmp/pictures/record_schedules.py",
        "csrc/engine/include/polymask/inside_polygon.h",
        "csrc/engine/include/polymask/portable.h",
        "csrc/rule_simd.h",
        "notebooks/walkthrough.ipynb",
    },
    "exact_flags_msvc.txt": {"SYSTEMS.md"},
}


@pytest.mark.parametrize("spelling", SPELL_THE_FLAGS)
def test_the_flags_of_exactness_are_spelled_once(spelling, files, root):
    """A file that contains one flag has all of them, unchanged, wherever it optimizes."""
    recorded = ("results/", "README.md", "COMING_FROM.md")  # how a result's modules were built
    names = set()
    for file in files:
        name = file.relative_to(root).as_posix()
        if file.suffix not in {*CODE, ".md", ".json", ".toml", ".txt"} or name.startswith(recorded):
            continue
        if name.startswith(("tests/", "csrc/engine/exact_flags")):
            continue
        text = file.read_text(encoding="utf-8")
        for flag in (root / "csrc/engine" / spelling).read_text(encoding="utf-8").split():
            option = re.match(r"[/\w-]+[=:]?", flag)[0]  # without its value
            if option in text:
                names.add(name)
                assert text.count(option) == text.count(flag) >= text.count("-O3"), name
    assert names == SPELL_THE_FLAGS[spelling]


def test_pxd_files_lie_in_csrc_only(files, root):
    """Cython silently ignores a .pxd beside a .pyx in a folder that begins with a digit."""
    pxd = [file.relative_to(root).parts[0] for file in files if file.suffix == ".pxd"]
    assert pxd
    assert set(pxd) == {"csrc"}


FOREIGN = {"cpython", "cython", "dpctl", "libc", "libcpp"}


def test_no_rung_cimports_another(root):
    """It would need a .pxd beside the .pyx; shared code is declared in csrc."""
    declared = {file.stem for file in (root / "csrc").glob("*.pxd")}
    for file in rung_files(root):
        for module in re.findall(
            r"^\s*(?:from\s+(\S+)\s+)?cimport\s+(\S+)", file.read_text(), re.M
        ):
            name = module[0] or module[1]
            assert name in declared or name.split(".")[0] in FOREIGN, file


def test_memoryviews_are_used_instead_of_old_buffers(files):
    for file in files:
        if file.suffix in {".pyx", ".pxd"}:
            text = file.read_text()
            assert "np.ndarray[" not in text, file
            assert "cimport numpy" not in text, file


def test_a_rung_is_read_on_one_screen(root):
    for file in rung_files(root):
        assert len(file.read_text().splitlines()) <= 100, file


def test_every_folder_has_its_lesson(root):
    for folder in rung_folders(root):
        lesson = folder / "README.md"
        assert lesson.exists(), lesson
        assert lesson.read_text().startswith("# "), lesson


# One header, four languages.


STRICT = "-pedantic", "-Wall", "-Wextra", "-Werror"
USE = """#include "inside_polygon.h"
int answer(const double *v);
int answer(const double *v) { return inside_polygon(1.0, v[0], v, 3, 1); }
"""


def assembly(root, compiler, text, *flags):
    """Compile a text that includes headers of csrc."""
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    done = ran([compiler, *flags, "-S", "-o", "-", "-I", root / "csrc", "-"], input=text)
    assert done.returncode == 0, done.stderr
    return done.stdout


@folded("language", ["-xc -std=c99", "-xc -std=c11", "-xc -std=c17"])
@folded("compiler", ["cc", "clang"])
def test_the_header_is_c(root, compiler, language):
    assert assembly(root, compiler, USE, *language.split(), *STRICT)


@pytest.mark.parametrize("compiler", ["c++", "clang++"])
@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_the_header_is_cpp(root, compiler, standard):
    assert assembly(root, compiler, USE, "-xc++", f"-std={standard}", *STRICT)


def test_the_headers_of_csrc_compile_alone(root):
    """Each can be included first, and twice."""
    for header in [*(root / "csrc").glob("*.h"), *(root / "csrc").glob("*.hpp")]:
        assert assembly(root, "c++", f'#include "{header.name}"\n' * 2, "-xc++", "-std=c++17")


def test_no_compiler_can_fuse_a_multiply_add(root):
    """The product is divided before the sum, so nothing can be fused even if the flags allow it."""
    flags = ["-mfma"] if platform.machine() == "x86_64" else []
    code = assembly(root, "cc", USE, "-xc", "-O3", "-ffp-contract=fast", *flags)
    assert "div" in code
    assert not re.search(r"\bv?fn?m(add|sub|la|ls)", code)
