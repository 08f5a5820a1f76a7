"""After the mask checks: an edge whose x is not a number."""

from ladder.workshop.sandbox.not_numbers import check

__all__ = ["check"]
