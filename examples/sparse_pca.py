"""A principal component with few entries: the k of p features that vary together the most.

    python examples/sparse_pca.py           1000 features, or as many as are given

The first principal component mixes all features. A sparse one has k entries that are not zero, and
to try all choices of k features is hopeless. But if the covariance is nearly V Vᵀ with a thin V of
p x d, each unit vector c of d numbers proposes a choice, the k largest of |V c|, and the best of
these is the best of all (Papailiopoulos, Dimakis, Korokythakis, "Sparse PCA through Low-rank
Approximations", 2013). Here many random c are tried; for each a k-selection takes place.
"""

import sys

import in_turn
import numba
import numpy as np
from k_selection import replace_root

D, K, SAMPLES = 3, 10, 4000


def by_arrays(v, c, k):
    """Array style: return, for each column c, the norm of the k largest entries of |V c|."""
    a = np.abs(v @ c)
    return np.linalg.norm(np.partition(a, len(a) - k, axis=0)[len(a) - k :], axis=0)


@numba.njit(parallel=True, nogil=True)
def by_samples(v, c, k):
    """Loop style: the same with a thread for some samples each, which keeps k numbers of V c."""
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


def thin(covariance, d):
    """Return V, p x d, with V Vᵀ the best approximation of a covariance by a matrix of rank d."""
    values, vectors = np.linalg.eigh(covariance)
    return vectors[:, -d:] * np.sqrt(np.maximum(values[-d:], 0))


def sparse_component(covariance, k, d=D, samples=SAMPLES, norms=by_samples, seed=0):
    """Return a unit vector with at most k entries that are not zero, and a large variance along it.

    The same seed tries the same vectors c, in either style.
    """
    v = thin(covariance, d)
    c = np.random.default_rng(seed).standard_normal((d, samples))
    c /= np.linalg.norm(c, axis=0)
    best = np.argmax(norms(v, c, k))
    chosen = np.sort(np.argpartition(np.abs(v @ c[:, best]), -k)[-k:])
    component = np.zeros(len(v))
    component[chosen] = np.linalg.eigh(covariance[np.ix_(chosen, chosen)])[1][:, -1]
    return component


def planted(p, k, n=500, seed=0):
    """Return n observations of p features, k of which vary together; and which these are.

    All features have noise of variance 1; the k share a signal of variance 4.
    """
    random = np.random.default_rng(seed)
    chosen = np.sort(random.choice(p, k, replace=False))
    x = random.standard_normal((n, p))
    x[:, chosen] += 2 * random.standard_normal((n, 1))
    return x, chosen


def main(p):
    """Find what was planted, and measure the part that differs between the styles."""
    x, chosen = planted(p, K)
    covariance = np.cov(x, rowvar=False)
    for norms in (by_arrays, by_samples):
        found = np.flatnonzero(sparse_component(covariance, K, norms=norms))
        np.testing.assert_array_equal(found, chosen)
    v = thin(covariance, D)
    c = np.random.default_rng(0).standard_normal((D, SAMPLES))
    took = in_turn.seconds({
        "arrays": lambda: by_arrays(v, c, K),
        "samples": lambda: by_samples(v, c, K),
    })  # fmt: skip
    print(f"Sparse PCA: p = {p} features, {SAMPLES} vectors of d = {D}, k = {K}: all {K} found")
    memory = f"{p * SAMPLES * 8 / 2**20:.3g} MiB"  # of V c, in the array style
    in_turn.table(
        ["style", "time", "memory for V c"],
        [["array: V @ C, np.partition", in_turn.written(took)[0], memory],
         ["loop: prange, a heap a sample", in_turn.written(took)[1], f"{K * 8} bytes a thread"]],
    )  # fmt: skip
    print(in_turn.where())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
