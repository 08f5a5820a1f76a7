"""The ladder: its rungs, the polygon that they are measured on, and the mask that is right."""
