"""Rung 1: Cython, first nothing but compiled, then typed."""
