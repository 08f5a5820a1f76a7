"""The rungs of the ladder under their public name; their entries stand in polymask/ladder."""

from polymask.ladder.registry import RUNGS, Rung, Unavailable, get, nearest

__all__ = ["RUNGS", "Rung", "Unavailable", "get", "nearest"]
