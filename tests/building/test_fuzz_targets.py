"""The fuzz targets find no faults in inputs of earlier runs, nor in some seconds of new ones.

`make fuzz` runs these tests with other inputs, and for longer.
"""

import os

import fuzz_targets
import promises
import pytest

LONG = os.environ.get("POLYMASK_FUZZ_SECONDS")
SECONDS = int(LONG or 5)  # for each target
SEED = int(os.environ.get("POLYMASK_SEED", "1"))
TARGETS = fuzz_targets.corpora()


@pytest.fixture(scope="module")
def inputs(request):
    """Build the targets; return the number of inputs of each, which are recorded with a promise."""
    try:
        fuzz_targets.build()
    except fuzz_targets.Unavailable as error:
        pytest.skip(str(error))
    inputs = {}
    yield inputs
    if request.session.testsfailed == 0 and len(inputs) == len(TARGETS):
        promises.record(
            "fuzzing",
            promise="No input makes the engine or the C library crash or differ from the rule.",
            how=f"make fuzz FUZZ_SECONDS={SECONDS}",
            tests=["tests/building/test_fuzz_targets.py", "csrc/engine/fuzz/CMakeLists.txt"],
            figures={
                "fuzz targets": len(inputs),
                "seconds each": SECONDS,
                "inputs": sum(inputs.values()),
                "or more inputs per target": min(inputs.values()),
                "differences": 0,
            },
        )


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


@pytest.mark.weekly
@pytest.mark.parametrize("name", TARGETS)
def test_nothing_is_found(inputs, name, tmp_path):
    """A failing input is in build/fuzz/crashes: see CONTRIBUTING."""
    failure, runs = fuzz_targets.fuzz(name, SECONDS, SEED, corpus=None if LONG else tmp_path)
    assert failure is None, failure[-8000:]
    assert runs > len(list(TARGETS[name].iterdir()))
    inputs[name] = runs
