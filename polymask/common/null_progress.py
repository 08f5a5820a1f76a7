"""What work that lasts says of how far it is; the command line shows it."""


class NullProgress:
    """A progress that shows nothing, a context; `polymask.cli.progress_bar` has those that do."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def begin(self, text, total):
        """Begin a phase of `total` seconds, or of `total` rows."""

    def working(self, text, long=False):
        """Say what is done now; `long` if it takes over a second."""

    def advance(self, amount):
        """Note `amount` more of the phase as done."""
