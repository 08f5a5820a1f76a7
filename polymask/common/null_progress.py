"""The interface through which long work reports its progress."""


class NullProgress:
    """A progress context that shows nothing; `polymask.cli.progress_bar` has visible ones."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def begin(self, text, total):
        """Begin a phase of `total` seconds, or of `total` rows."""

    def working(self, text, long=False):
        """Describe the current work; `long` if it takes over a second."""

    def advance(self, amount):
        """Count `amount` more of the phase as done."""
