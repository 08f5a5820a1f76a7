"""A folder on Python's path in the processes that an answer starts."""
