"""The fuzz targets find nothing, neither in what is kept of earlier runs nor in some seconds."""

import os

import fuzz_targets
import pytest

SECONDS = int(os.environ.get("POLYMASK_FUZZ_SECONDS") or 3)  # for each target


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
    assert names == set(fuzz_targets.corpora())
    for folder in fuzz_targets.corpora().values():
        files = list(folder.iterdir())
        assert 0 < len(files) < 2 * fuzz_targets.MOST_FILES, folder.name
        assert sum(file.stat().st_size for file in files) < 20_000, folder.name


@pytest.mark.slow
@pytest.mark.parametrize("name", fuzz_targets.corpora())
def test_nothing_is_found(built, name, tmp_path):
    wrong, runs = fuzz_targets.fuzz(name, SECONDS, seed=1, found=tmp_path)
    assert wrong is None, wrong[-8000:]
    assert runs > len(list(fuzz_targets.corpora()[name].iterdir()))
