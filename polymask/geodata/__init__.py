"""Polygons and images from the outside: forms, files, and where they lie on a map."""
