"""The build commands of setup.py, in no wheel: they import the rooms `common` and no other."""
