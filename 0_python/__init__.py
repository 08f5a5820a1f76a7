"""Rung 0: pure Python and NumPy."""
