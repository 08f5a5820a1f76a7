"""Modules that all rooms use: files, messages, errors, and functions that run once."""
