"""All rungs, timed by pytest-benchmark: an independent measurement of the same masks.

`make benchmark` runs this suite, and prints the table of speed-ups over python.tuples. By hand:

    SIZES=64,256 pytest benchmarks/rungs.py --benchmark-json=bench.json
    polymask report bench.json

`make test` does not run it; CI runs it at a small size.
"""

import dataclasses
import functools
import os

import pytest

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

from ladder import registry
from ladder.bench import machine
from ladder.bench.measurement import count_wrong
from ladder.cost.memset import FreshMemset, WarmMemset
from ladder.registry import reference, workload

SIZES = os.environ.get("SIZES", "256").split(",")
# The largest number of samples per row: the report divides each by each sample of another row.
MOST = 500

pytestmark = pytest.mark.parametrize("size", list(map(int, SIZES)))


@pytest.fixture(scope="session")
def machine_record():
    """Return the record of the machine as plain values for JSON."""
    return dataclasses.asdict(machine.record())


@functools.cache
def expected(size):
    """Return the right mask for a size."""
    return reference.mask(workload.polygon(shape=(size, size)), (size, size))


def describe(benchmark, key, kind, size, machine_record, threads=1):
    """Add the fields that the report needs to the record of a finished benchmark."""
    vertices = workload.polygon(shape=(size, size))
    samples = benchmark.stats.stats.data
    benchmark.group = f"{size} x {size}"
    benchmark.extra_info |= {
        "key": key,
        "kind": kind,
        "threads": threads,
        "machine": machine_record,
        "workload": {
            "shape": [size, size],
            "seed": workload.SEED,
            "polygon": None,
            "polygon_sha256": workload.sha256(vertices),
            "polygon_xy": vertices.tolist(),
        },
        "samples_s": samples[:: -(-len(samples) // MOST)],
    }


@pytest.mark.parametrize("rung", registry.RUNGS, ids=lambda rung: rung.key)
def test_rung(benchmark, rung, size, machine_record):
    """Time a rung."""
    try:
        make_mask = rung.load()
    except registry.Unavailable as unavailable:
        pytest.skip(str(unavailable))
    vertices = workload.polygon(shape=(size, size))
    mask = make_mask(vertices, (size, size))  # the first call, which may compile, is not timed
    assert count_wrong(mask, expected(size)) == 0
    benchmark(make_mask, vertices, (size, size))
    describe(benchmark, rung.key, "rung", size, machine_record, rung.threads())


@pytest.mark.parametrize("memset", [WarmMemset, FreshMemset])
def test_memset(benchmark, memset, size, machine_record):
    """Time memset of a mask."""
    mask = benchmark(memset((size, size)))
    assert mask.all()
    key = {WarmMemset: "memset_warm", FreshMemset: "memset_fresh"}[memset]
    describe(benchmark, key, "yardstick", size, machine_record)
