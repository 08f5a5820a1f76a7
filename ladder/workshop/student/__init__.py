"""The student's tools: the folder of exercises, the checks, and the record of progress."""
