"""The build commands of setup.py; not in wheels. Of the package they import `common` only."""
