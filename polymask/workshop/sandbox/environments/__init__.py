"""Environments: changes around an answer that show how it works. Each has a module.

A module's `install(**settings)` is called in the child before the answer is imported, and returns
an `Environment`. Its notes are plain values, for the check to judge.
"""


class Environment:
    """A change around an answer; `seen` holds its notes about a call of the answer."""

    def __init__(self):
        self.seen, self.watching = [], False

    def before(self, arguments):
        """Begin an observed call."""
        self.seen, self.watching = [], True

    def after(self):
        """End an observed call; return the notes, or None."""
        self.watching = False
        return list(self.seen)

    def switch(self, **settings):
        """Change the settings of the environment."""
