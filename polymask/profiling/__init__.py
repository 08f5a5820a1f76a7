"""Where the time of a rung goes: cProfile, instructions of compiled code, events of a device."""
