"""Profilers of rungs: cProfile, instructions of compiled code, events of a device."""
