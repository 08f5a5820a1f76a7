"""Rung 4: the rows shared among threads."""
