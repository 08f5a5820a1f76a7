"""Fake rungs for tests of the driver."""

import sys
import types

import pytest

from ladder import registry
from ladder.cost import prices
from ladder.registry.rung import Rung


@pytest.fixture(autouse=True)
def _no_prices(monkeypatch):
    """Skip measuring prices, which these tests do not read."""
    monkeypatch.setattr(prices, "actions", dict)


@pytest.fixture
def plant(monkeypatch):
    """Add a rung to the registry, with its `make_mask` and other attributes of its module."""

    def add(key, make_mask, device=None, jit=None, batch=False, leaves=False, **attributes):
        options = {"before": "python.tuples", "device": device, "jit": jit, "batch": batch}
        options["leaves"] = leaves
        module = types.SimpleNamespace(make_mask=make_mask, **attributes)
        monkeypatch.setitem(sys.modules, f"ladder.{key}", module)
        monkeypatch.setitem(registry.BY_KEY, key, Rung(key, "0_python/tuples.py", key, **options))

    return add
