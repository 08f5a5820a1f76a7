"""Profiles of rungs: the calls by cProfile, the commands of a device, the stages of Numba."""
