"""Fixtures that several files of tests of the profilers use."""

import types

import pytest

from polymask.ladder import registry
from polymask.profiling import twin


@pytest.fixture
def made_up():
    """A profile of functions of tuples.py: name to number of calls, and seconds in each itself."""

    def profile(**functions):
        file = str(twin.ROOT / registry.get("python.tuples").file)
        stats = {(file, 1, name): (n, n, own, own, {}) for name, (n, own) in functions.items()}
        whole = sum(own for _, own in functions.values())
        count = sum(n for n, _ in functions.values())
        return types.SimpleNamespace(stats=stats, total_tt=whole, total_calls=count)

    return profile
