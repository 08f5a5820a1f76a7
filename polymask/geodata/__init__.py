"""Polygons and images from outside: accepted forms, files, and positions on a map."""
