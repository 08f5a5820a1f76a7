"""What setup.py builds with; not in wheels. Of the package it imports `_fresh` and `saving`."""
