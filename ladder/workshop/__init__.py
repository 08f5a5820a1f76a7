"""The workshop: exercises that a student edits, checks, and understands.

`exercises` finds them in the lessons and generates the starters. Three packages build on it, each
on the previous one: `sandbox` builds and runs a student's code, `student` stores and checks it, and
`author` proves that every exercise can be failed and passed.
"""
