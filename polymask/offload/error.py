"""The one error of the runtime's own."""


class OffloadError(RuntimeError):
    """A device, a library or a kernel failed; errors of asynchronous work come at `sync`."""
