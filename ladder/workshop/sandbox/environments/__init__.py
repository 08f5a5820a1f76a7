"""Environments: changes around an answer that show how it works, each in its own module.

A module's `install(**settings)` is called in the child before the answer is imported, and returns
an `Environment`. Its notes are plain values, for the check to judge.
"""


class Environment:
    """A change around an answer; `notes` describes one call to it."""

    def __init__(self):
        self.notes, self.watching = [], False

    def before(self, arguments):
        """Begin an observed call."""
        self.notes, self.watching = [], True

    def after(self):
        """End an observed call; return the notes, or None."""
        self.watching = False
        return list(self.notes)

    def switch(self, **settings):
        """Change the settings of the environment."""
