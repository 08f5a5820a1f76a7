"""The library: masks, labels, runs, fractions and statistics of polygons, by the C++ engine."""
