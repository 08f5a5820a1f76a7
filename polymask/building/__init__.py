"""What setup.py builds with; not in wheels. Of the package it imports `common`."""
