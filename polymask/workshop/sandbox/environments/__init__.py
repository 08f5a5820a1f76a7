"""Environments: what is changed around an answer, to see how it works. A module each.

A module's `install(**settings)` is called in the child before the answer is imported, and returns
an `Environment`. What it has seen comes back as plain values, and the judge decides.
"""


class Environment:
    """What is changed around an answer; a subclass does what it needs."""

    def before(self, arguments):
        """Called before each call that is observed."""

    def after(self):
        """Called after each call that is observed; returns what was found, or None."""

    def found(self):
        """Return what was seen since it was asked last."""

    def switch(self, **settings):
        """Change what is changed around an answer, in the midst of it."""
