"""Fixtures for several tests of the profilers."""

import types

import pytest

from ladder import registry
from ladder.profiling import twin


@pytest.fixture
def fake_profile():
    """Fake a profile of functions in tuples.py: name to (number of calls, own seconds)."""

    def profile(**functions):
        file = str(twin.ROOT / registry.get("python.tuples").file)
        stats = {(file, 1, name): (n, n, own, own, {}) for name, (n, own) in functions.items()}
        total_s = sum(own for _, own in functions.values())
        count = sum(n for n, _ in functions.values())
        return types.SimpleNamespace(stats=stats, total_tt=total_s, total_calls=count)

    return profile
