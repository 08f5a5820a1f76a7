"""Polygons in memory: the accepted forms, and the ragged arrays that each becomes."""
