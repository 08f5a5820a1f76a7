"""A comparison of this checkout and another commit, in alternating processes."""
