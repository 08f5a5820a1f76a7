"""What a rung, a device or the offload runtime raises; here, so that all can catch it cheaply."""


class Unavailable(RuntimeError):
    """A rung cannot run on this machine.

    Parameters
    ----------
    reason : str
        What is missing, in one line.
    what_to_do : str, optional
        How to mend it, in one line.
    """

    def __init__(self, reason: str, what_to_do: str = "") -> None:
        super().__init__(f"{reason}: {what_to_do}" if what_to_do else reason)
        self.reason = reason
        self.what_to_do = what_to_do


class BadSetting(Unavailable):
    """An environment variable asks for what is not there: the user's to mend, as other input."""


class OffloadError(RuntimeError):
    """A device, a library or a kernel failed; errors of asynchronous work come at `sync`."""
