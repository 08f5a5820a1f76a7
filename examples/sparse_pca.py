"""A sparse principal component: of p features, the k that vary together the most.

    python examples/sparse_pca.py [P]       default: 1000 features

The first principal component mixes all features. A sparse one has k nonzero entries, and there are
too many choices of k features to try all. But if the covariance is nearly V Vᵀ with a thin p x d
matrix V, each unit vector c of d numbers proposes one: the k largest entries of |V c|. The best of
these is the best of all (Papailiopoulos, Dimakis, Korokythakis, "Sparse PCA through Low-rank
Approximations", 2013). This program tries many random c, with one k-selection for each.
"""

import sys

import in_turn
import numba
import numpy as np
from k_selection import replace_root

D, K, SAMPLES = 3, 10, 4000


def by_arrays(v, c, k):
    """Return the norm of the k largest entries of |V c| for each column c, in array style."""
    a = np.abs(v @ c)
    return np.linalg.norm(np.partition(a, len(a) - k, axis=0)[len(a) - k :], axis=0)


@numba.njit(parallel=True, nogil=True)
def by_samples(v, c, k):
    """Return the same norms in loop style: threads share the samples, and keep k numbers of V c."""
    norms = np.empty(c.shape[1])
    for sample in numba.prange(c.shape[1]):
        heap = np.zeros(k)
        for feature in range(v.shape[0]):
            a = 0.0
            for i in range(v.shape[1]):
                a += v[feature, i] * c[i, sample]
            if abs(a) > heap[0]:
                replace_root(heap, abs(a))
        norms[sample] = np.sqrt(np.sum(heap**2))
    return norms


def thin_factor(covariance, d):
    """Return V, p x d, such that V Vᵀ is the best approximation of a covariance of rank d."""
    values, vectors = np.linalg.eigh(covariance)
    return vectors[:, -d:] * np.sqrt(np.maximum(values[-d:], 0))


def sparse_component(covariance, k, d=D, samples=SAMPLES, norms=by_samples, seed=0):
    """Return a unit vector with at most k nonzero entries and a large variance along it.

    With the same seed, both styles try the same vectors c.
    """
    v = thin_factor(covariance, d)
    c = np.random.default_rng(seed).standard_normal((d, samples))
    c /= np.linalg.norm(c, axis=0)
    best = np.argmax(norms(v, c, k))
    chosen = np.sort(np.argpartition(np.abs(v @ c[:, best]), -k)[-k:])
    component = np.zeros(len(v))
    component[chosen] = np.linalg.eigh(covariance[np.ix_(chosen, chosen)])[1][:, -1]
    return component


def make_data(p, k, n=500, seed=0):
    """Return n observations of p features, k of which vary together, and the indices of these k.

    All features have noise of variance 1; the k share a signal of variance 4.
    """
    random = np.random.default_rng(seed)
    chosen = np.sort(random.choice(p, k, replace=False))
    x = random.standard_normal((n, p))
    x[:, chosen] += 2 * random.standard_normal((n, 1))
    return x, chosen


def main(p):
    """Find the planted features, and measure the part that differs between the styles."""
    x, planted_features = make_data(p, K)
    covariance = np.cov(x, rowvar=False)
    for norms in (by_arrays, by_samples):
        features = np.flatnonzero(sparse_component(covariance, K, norms=norms))
        np.testing.assert_array_equal(features, planted_features)
    v = thin_factor(covariance, D)
    c = np.random.default_rng(0).standard_normal((D, SAMPLES))
    times = in_turn.measure({
        "arrays": lambda: by_arrays(v, c, K),
        "samples": lambda: by_samples(v, c, K),
    })  # fmt: skip
    print(f"Sparse PCA: p = {p} features, {SAMPLES} vectors of d = {D}, k = {K}: all {K} found")
    styles = "array: V @ C, np.partition", "loop: prange, one heap per sample"
    memory = f"{p * SAMPLES * 8 / 2**20:.3g} MiB", f"{K * 8} bytes per thread"
    rows = zip(styles, in_turn.format_times(times), memory, strict=True)
    in_turn.print_table(["style", "time", "memory for V c"], list(rows))
    print(in_turn.conditions())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
