"""Environments: what is changed around an answer, to see how it works. A module each.

A module's `install(**settings)` is called in the child before the answer is imported, and returns
an `Environment`. What it has seen comes back as plain values, and the check decides.
"""


class Environment:
    """What is changed around an answer; it notes in `seen` what a call of the answer does."""

    def __init__(self):
        self.seen, self.watching = [], False

    def before(self, arguments):
        """Begin a call that is observed."""
        self.seen, self.watching = [], True

    def after(self):
        """End a call that is observed; return what was found, or None."""
        self.watching = False
        return list(self.seen)

    def switch(self, **settings):
        """Change what is changed around an answer, in the midst of it."""
