"""Comparisons to run from a clone, as README.md describes; the wheels do not contain them."""
