"""The fuzz targets find nothing, neither in what is kept of earlier runs nor in some seconds."""

import os

import fuzz_targets
import pytest

SECONDS = int(os.environ.get("POLYMASK_FUZZ_SECONDS") or 5)  # for each target
TARGETS = fuzz_targets.corpora()


def proof_of(name):
    """Return the mark of a target's proof: of what it calls, and of the inputs that are kept."""
    beside = ("input.hpp", "scenes.hpp", "CMakeLists.txt", f"{name}.cpp", f"corpus/{name}/*")
    places = [f"csrc/{place}fuzz/{file}" for place in ("", "engine/") for file in beside]
    engine = [f"csrc/engine/{folder}/**/*" for folder in ("src", "include")]
    return pytest.mark.proof("csrc/*.*", *engine, *places)


@pytest.fixture(scope="module")
def built():
    try:
        fuzz_targets.build()
    except fuzz_targets.Unavailable as missing:
        pytest.skip(str(missing))


def test_every_target_has_files_to_begin_with(root):
    names = set()
    for folder in ("csrc/engine/fuzz", "csrc/fuzz"):
        for file in (root / folder).glob("*.cpp"):
            if "LLVMFuzzerTestOneInput(const std::uint8_t *data" in file.read_text():
                names.add(file.stem)
    names.discard("replay")  # it calls them
    assert names == set(TARGETS)
    for folder in TARGETS.values():
        files = list(folder.iterdir())
        assert 0 < len(files) < 2 * fuzz_targets.MOST_FILES, folder.name
        assert sum(file.stat().st_size for file in files) < 20_000, folder.name


@pytest.mark.parametrize("name", [pytest.param(one, marks=proof_of(one)) for one in TARGETS])
def test_nothing_is_found(built, name, tmp_path):
    wrong, runs = fuzz_targets.fuzz(name, SECONDS, seed=1, corpus=tmp_path)
    assert wrong is None, wrong[-8000:]
    assert runs > len(list(TARGETS[name].iterdir()))
