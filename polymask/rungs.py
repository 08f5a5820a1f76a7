"""The rungs of the ladder under their public name: see ladder/registry.py."""

from polymask.ladder.registry import RUNGS, Rung, Unavailable, get

__all__ = ["RUNGS", "Rung", "Unavailable", "get"]
