"""The ladder: its rungs, the polygon for measurements, and the correct mask."""
