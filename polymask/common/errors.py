"""Errors of rungs, devices and the offload runtime, in a module that is cheap to import."""


class Unavailable(RuntimeError):
    """The error for a rung that cannot run on this machine.

    Parameters
    ----------
    reason : str
        The missing device, library or feature, in one line.
    what_to_do : str, optional
        How to fix it, in one line.
    """

    def __init__(self, reason: str, what_to_do: str = "") -> None:
        super().__init__(f"{reason}: {what_to_do}" if what_to_do else reason)
        self.reason = reason
        self.what_to_do = what_to_do


class BadSetting(Unavailable):
    """An environment variable that requests an unavailable feature, or has a bad value."""


class OffloadError(RuntimeError):
    """A failure of a device, a library or a kernel; `sync` raises it for asynchronous work."""


class StaleModule(ImportError):
    """The error for an extension module that was not built from its present sources."""


class NotBuilt(ImportError):
    """The error for an extension module whose source exists, but which is not built."""
