"""A folder that stands on Python's path in the processes that an answer starts."""
