"""Rung 9: another algorithm, by rows instead of by pixels."""
