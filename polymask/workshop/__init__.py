"""The workshop: exercises that a student edits, checks, and understands.

`exercises` finds them in the lessons, `starter` makes what a student begins with, `folder` and
`progress` keep the student's work, `check` holds it against the contract and the clock, and
`verify` proves that every exercise can be failed and passed.
"""
