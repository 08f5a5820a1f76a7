"""Builds and runs a student's code in separate processes, with guards and limits."""
