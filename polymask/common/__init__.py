"""Modules that all subpackages use: files, messages, errors, and functions that run once."""
