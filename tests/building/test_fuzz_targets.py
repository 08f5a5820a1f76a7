"""The fuzz targets find no faults in inputs of earlier runs, nor in some seconds of new ones."""

import os

import fuzz_targets
import pytest

SECONDS = int(os.environ.get("POLYMASK_FUZZ_SECONDS") or 5)  # for each target
TARGETS = fuzz_targets.corpora()


def proof_of(name):
    """Return the mark of a target's proof, which covers the code that it calls and its inputs."""
    names = ("input.hpp", "scenes.hpp", "CMakeLists.txt", f"{name}.cpp", f"corpus/{name}/*")
    places = [f"csrc/{place}fuzz/{file}" for place in ("", "engine/") for file in names]
    engine = [f"csrc/engine/{folder}/**/*" for folder in ("src", "include")]
    return pytest.mark.proof("csrc/*.*", *engine, *places)


@pytest.fixture(scope="module")
def targets():
    try:
        fuzz_targets.build()
    except fuzz_targets.Unavailable as error:
        pytest.skip(str(error))


def test_every_target_has_files_to_begin_with(root):
    names = set()
    for folder in ("csrc/engine/fuzz", "csrc/fuzz"):
        for file in (root / folder).glob("*.cpp"):
            if "LLVMFuzzerTestOneInput(const std::uint8_t *data" in file.read_text():
                names.add(file.stem)
    names.discard("replay")  # it calls the others
    assert names == set(TARGETS)
    for folder in TARGETS.values():
        files = list(folder.iterdir())
        assert 0 < len(files) < 2 * fuzz_targets.MOST_FILES, folder.name
        assert sum(file.stat().st_size for file in files) < 20_000, folder.name


@pytest.mark.parametrize("name", [pytest.param(name, marks=proof_of(name)) for name in TARGETS])
def test_nothing_is_found(targets, name, tmp_path):
    failure, runs = fuzz_targets.fuzz(name, SECONDS, seed=1, corpus=tmp_path)
    assert failure is None, failure[-8000:]
    assert runs > len(list(TARGETS[name].iterdir()))
