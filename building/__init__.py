"""The build commands of setup.py, which are not in wheels and import only `common`."""
