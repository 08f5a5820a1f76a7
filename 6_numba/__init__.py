"""Rung 6: Numba, which compiles Python while it runs."""
