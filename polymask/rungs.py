"""The rungs of the ladder under their public name: the entries stand in ladder/registry.py."""

from polymask.ladder.registry import RUNGS, Rung, Unavailable, get, nearest

__all__ = ["RUNGS", "Rung", "Unavailable", "get", "nearest"]
