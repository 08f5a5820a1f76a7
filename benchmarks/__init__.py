"""Comparisons that are run from a clone; no wheel has them. README.md says how."""
