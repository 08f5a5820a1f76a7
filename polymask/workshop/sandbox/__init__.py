"""Where a student's code is built and run: processes of their own, with guards and limits."""
