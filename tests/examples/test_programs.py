"""The programs of examples/: both styles agree with a reference, and each prints its times."""

import importlib
import itertools
import re
import sys

import numpy as np
import pytest
from cases import folded
from checkouts import ROOT
from commands import ran

EXAMPLES = ROOT / "examples"

pytest.importorskip("numba", reason="the package numba is not installed")


@pytest.fixture
def program(monkeypatch):
    """Import a program of examples/, which imports others of the folder."""
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module


def run(name, *arguments, cwd):
    """Run a program in its own process; return the lines that it prints."""
    completed = ran([sys.executable, EXAMPLES / f"{name}.py", *arguments], cwd=cwd, timeout=120)
    assert completed.returncode == 0, completed.stderr
    assert completed.stderr == ""
    return completed.stdout.splitlines()


# A small size, and the times in the rows of each program's table.
TIMES = {
    "k_selection": ("5000", 6 * 3),
    "sparse_pca": ("60", 2 * 1),
    "fft_filter": ("48", 3 * 2),
    "fusion": ("5000", 3 * 1),
}
TIME = re.compile(r"\b[\d.]+ (?:s|ms|µs|ns)(?!\w)")


@pytest.mark.slow  # it compiles again, in its own process
@pytest.mark.parametrize("name", TIMES)
def test_a_program_prints_its_times(name, tmp_path):
    assert TIMES.keys() == {file.stem for file in EXAMPLES.glob("*.py")} - {"in_turn"}
    size, times = TIMES[name]
    lines = run(name, size, cwd=tmp_path)
    assert size in lines[0]
    assert len(TIME.findall("\n".join(lines))) == times


@pytest.mark.slow
@pytest.mark.parametrize("style", ["by_partition", "by_heap"])
@pytest.mark.parametrize("k", [1, 2, 3, 17, 99, 100])
@pytest.mark.parametrize("order", ["random", "ascending", "descending", "equal", "repeated"])
def test_the_k_largest_are_those_of_a_sorted_array(program, order, k, style):
    k_selection = program("k_selection")
    numbers = np.random.default_rng(k).standard_normal(100)
    numbers = {
        "random": numbers,
        "ascending": np.sort(numbers),
        "descending": np.sort(numbers)[::-1].copy(),
        "equal": np.ones(100),
        "repeated": np.floor(numbers),
    }[order]
    before = numbers.copy()
    result = k_selection.k_largest(numbers, k, getattr(k_selection, style))
    np.testing.assert_array_equal(result, np.sort(numbers)[::-1][:k])
    np.testing.assert_array_equal(numbers, before)


@pytest.mark.parametrize("k", [0, -1, 6])
def test_k_is_between_one_and_the_number_of_elements(program, k):
    k_selection = program("k_selection")
    with pytest.raises(ValueError, match=f"k must be between 1 and 5, got {k}"):
        k_selection.k_largest(np.arange(5.0), k)


def variance(covariance, features):
    """Return the largest variance along a unit vector of these features."""
    return np.linalg.eigvalsh(covariance[np.ix_(features, features)])[-1]


@pytest.mark.slow
@folded("seed", range(3))
@folded("style", ["by_arrays", "by_samples"])
def test_sparse_pca_finds_the_best_of_all_choices(program, style, seed):
    """For a covariance of rank 3 with 12 features, where all choices of 4 can be tried."""
    sparse_pca = program("sparse_pca")
    x = np.random.default_rng(seed).standard_normal((3, 12)) * [[3.0], [2.0], [1.0]]
    covariance = x.T @ x
    component = sparse_pca.sparse_component(covariance, 4, norms=getattr(sparse_pca, style))
    best = max(variance(covariance, list(pick)) for pick in itertools.combinations(range(12), 4))
    assert np.count_nonzero(component) == 4
    np.testing.assert_allclose(np.linalg.norm(component), 1)
    np.testing.assert_allclose(component @ covariance @ component, best, rtol=1e-9)


def shift_and_add(image, weights):
    """Convolve by shifting the whole image: the definition, however slow."""
    result = np.zeros(image.shape)
    for (i, j), weight in np.ndenumerate(weights):
        shift = (i - weights.shape[0] // 2, j - weights.shape[1] // 2)
        result += weight * np.roll(image, shift, axis=(0, 1))
    return result


WEIGHTS = [(1, 1), (3, 3), (3, 5), (4, 2), (9, 9)]


@pytest.mark.slow
@pytest.mark.parametrize("style", ["by_frequencies", "by_pixels"])
@pytest.mark.parametrize("shape", [(12, 17), (13, 9), (16, 16)])
@pytest.mark.parametrize("size", WEIGHTS)
def test_a_filter_is_the_sum_of_shifted_images(program, style, shape, size):
    fft_filter = program("fft_filter")
    random = np.random.default_rng(0)
    image, weights = random.standard_normal(shape), random.standard_normal(size)
    result = getattr(fft_filter, style)(image, weights)
    assert result.shape == shape
    np.testing.assert_allclose(result, shift_and_add(image, weights), atol=1e-12)


def test_fused_and_blocked_are_the_passes_to_the_bit(program):
    fusion = program("fusion")
    for n in (0, 1, fusion.BLOCK, 2 * fusion.BLOCK + 3):
        x, y = np.random.default_rng(n).standard_normal((2, n))
        for style in (fusion.in_blocks, fusion.in_a_loop):
            np.testing.assert_array_equal(style(x, y), np.sqrt(x * x + y * y))
