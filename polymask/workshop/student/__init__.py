"""What a student uses: a folder of exercises, their checks, and what was reached."""
