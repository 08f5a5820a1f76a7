"""The distributions: an sdist with the lessons, and a wheel made from it; both work.

The wheel is tested in a clean environment and from an empty folder: in the root of a checkout
Python would import ./polymask instead. Needs the package index.
"""

import re
import sys
import tarfile
import zipfile
from pathlib import Path

import checkouts
import pytest
import release

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def dist(root, files, tmp_path_factory):
    """The folder with sdist and wheel, built in a copy of the files that git does not ignore."""
    pytest.importorskip("build")
    copy = tmp_path_factory.mktemp("source")
    checkouts.copy(files, root, copy)
    folder = tmp_path_factory.mktemp("dist")
    # in an isolated environment without NumPy, as pip and cibuildwheel build
    release.distributions(copy, folder)
    return folder


@pytest.fixture(scope="module")
def sdist(dist):
    """Names of the files in the sdist, from its root."""
    (archive,) = dist.glob("polymask-*.tar.gz")
    with tarfile.open(archive) as tar:
        return {name.partition("/")[2] for name in tar.getnames()}


@pytest.fixture(scope="module")
def wheel(dist):
    """Names of the files in the wheel."""
    (archive,) = dist.glob("polymask-*.whl")
    with zipfile.ZipFile(archive) as archive:
        return set(archive.namelist())


def test_the_sdist_has_what_a_student_reads_and_needs(sdist, root, files):
    """Every file of the checkout but those of the tools around it; and nothing that was built."""
    names = {file.relative_to(root).as_posix() for file in files}
    left_out = sorted(name for name in names - sdist if not name.startswith("."))
    assert left_out == ["Containerfile"]
    built = [name for name in sdist if re.search(r"\.(so|o|py[co])$|^(build|dist|\.venv)/", name)]
    assert built == []
    generated = {name for name in sdist if name.endswith((".c", ".cpp"))}
    own = {
        name
        for name in generated
        if name.startswith(("csrc/", "docs/", "tests/"))
        or re.search("/(exercises|examples)/", name)
    }
    assert generated == own  # Cython's output would be beside the rungs


def test_the_wheel_is_the_library_alone(wheel):
    """Its modules, and the headers and kernels that `polymask.cuda` compiles."""
    assert {re.split(r"[/-]", name)[0] for name in wheel} == {"polymask"}
    modules = {name.partition(".")[0] for name in wheel if name.endswith(".so")}
    engine = ("_engine", "_many", "_outlines", "_summaries", "_coverage")
    assert modules == {
        "polymask/_cyutility",
        "polymask/forms/_rle",
        *(f"polymask/masks/{name}" for name in engine),
    }
    assert {
        f"polymask/csrc/{name}" for name in ("engine/include/polymask/portable.h", "tiles.cl")
    } <= wheel
    suffixes = {Path(name).suffix for name in wheel if ".dist-info/" not in name}
    assert suffixes == {".py", ".typed", ".so", ".h", ".cl"}


@pytest.fixture(scope="module")
def run_wheel(dist, tmp_path_factory):
    """Run Python in an environment with the wheel and its requirements, in an empty folder."""
    folder = tmp_path_factory.mktemp("installed")
    (archive,) = dist.glob("polymask-*.whl")
    python, empty = release.environment_with(archive, folder), folder / "empty"
    empty.mkdir()

    def run(*arguments, program=python):
        return release.check([program, *arguments], empty)

    run.script = folder / "env/bin/polymask"
    return run


def test_the_wheel_works_with_what_it_requires_and_nothing_else(run_wheel, root):
    """The public functions, and files of masks; see wheel.py."""
    assert "works" in run_wheel(root / "tests/support/wheel.py")
    assert run_wheel("--help", program=run_wheel.script) == run_wheel("-m", "polymask", "--help")
    code = """
import re
from importlib import metadata
installed = {re.sub("[-_.]+", "-", d.metadata["Name"]).lower() for d in metadata.distributions()}
print(*(installed - {"pip", "setuptools"}))
"""
    requirements = {"polymask", "numpy", "click", "rich", "pillow"}
    requirements |= {"tomli"} if sys.version_info < (3, 11) else set()
    rich_needs = {"markdown-it-py", "mdurl", "pygments", "typing-extensions"}
    assert requirements <= {*run_wheel("-c", code).split()} <= requirements | rich_needs


def test_the_version_is_the_same_everywhere(run_wheel, root):
    version = (root / "csrc/engine/VERSION").read_text().strip()
    assert run_wheel("-c", "import polymask; print(polymask.__version__)").strip() == version
    assert version in run_wheel("-m", "polymask", "--version")
    assert "file(STRINGS VERSION version)" in (root / "csrc/engine/CMakeLists.txt").read_text()
    assert f"\nversion: {version}\n" in (root / "CITATION.cff").read_text()
    assert re.search(rf"^## {re.escape(version)}\b", (root / "CHANGELOG.md").read_text(), re.M)
