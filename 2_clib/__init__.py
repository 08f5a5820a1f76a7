"""Rung 2: a C library, wrapped."""
