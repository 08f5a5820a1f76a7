"""Rung 3: a class that keeps its state in C."""
