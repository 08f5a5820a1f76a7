"""Handles of a device: memory, and points in streams."""

from ladder.offload.tracing import report_collected
from polymask.common.errors import OffloadError

_STICKY = set()


class DevicePointer:
    """Memory of a device, which is freed with this object unless it is sticky.

    It has a `device` and a size, `nbytes`. Freeing does not wait: a command that uses the memory
    keeps it until the command is done.
    """

    def __init__(self, device, memory, nbytes, sticky=False):
        self.device, self.nbytes, self._memory = device, nbytes, memory
        if sticky:
            _STICKY.add(self)

    @property
    def freed(self):
        """Whether the memory has been freed."""
        return self._memory is None

    def memory_for(self, device):
        """Return the engine's memory; raise an `OffloadError` if freed, or of another device."""
        if self.freed:
            raise OffloadError("this memory of the device has been freed")
        if device != self.device:
            raise OffloadError(f"this memory is of {self.device}, not of {device}")
        return self._memory

    def free(self):
        """Free the memory; a second call raises an `OffloadError`."""
        self.memory_for(self.device)
        self._memory = None
        _STICKY.discard(self)

    def __del__(self, report=report_collected):  # globals are None at Python's exit
        if not self.freed:
            report(self)

    def place(self):
        """Return a text with the address on the device."""
        return "freed" if self.freed else f"at {self.device.engine.address(self._memory):#x}"

    def __repr__(self):
        return f"<DevicePointer of {self.device}: {self.nbytes} bytes, {self.place()}>"


class OffloadEvent:
    """A point in a stream, which is reached when all commands before it are done."""

    def __init__(self, stream, ticket):
        self.stream, self.ticket = stream, ticket

    def __repr__(self):
        return f"<OffloadEvent of {self.stream}>"

    def done(self):
        """Return whether the stream has reached this point."""
        return self.ticket.done()

    def wait(self):
        """Wait until the stream has reached this point."""
        self.ticket.wait()
