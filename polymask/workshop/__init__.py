"""The workshop: exercises that a student edits, checks, and understands.

`exercises` finds them in the lessons, and makes the starters. Three rooms build on that, each on
the one before: `sandbox` builds and runs a student's code, `student` stores and checks it, `author`
proves that every exercise can be failed and passed.
"""
