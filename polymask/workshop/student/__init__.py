"""The student's tools: a folder of exercises, their checks, and the progress."""
