"""The builds and runs of a student's code, in separate processes with guards and limits."""
