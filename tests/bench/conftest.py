"""Rungs that are made for one test of the driver."""

import sys
import types

import pytest

from polymask.cost import prices
from polymask.ladder import registry
from polymask.ladder.rung import Rung


@pytest.fixture(autouse=True)
def _no_prices(monkeypatch):
    """Nor does a test pay for prices that it does not read."""
    monkeypatch.setattr(prices, "actions", dict)


@pytest.fixture
def plant(monkeypatch):
    """Add a rung to the registry, with its `make_mask` and what its module has besides."""

    def add(key, make_mask, device=None, jit=None, batch=False, **attributes):
        how = {"before": "python.tuples", "device": device, "jit": jit, "batch": batch}
        module = types.SimpleNamespace(make_mask=make_mask, **attributes)
        monkeypatch.setitem(sys.modules, f"polymask.{key}", module)
        monkeypatch.setitem(registry.BY_KEY, key, Rung(key, "0_python/tuples.py", key, **how))

    return add
