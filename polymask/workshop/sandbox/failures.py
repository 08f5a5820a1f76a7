"""How an answer fails: by an exception of the student's code, or by the end of its process."""

import builtins

from polymask.workshop.sandbox.wrong import Wrong


class Failed(Exception):
    """The student's code raised an exception."""

    def __init__(self, said):
        super().__init__(said["message"])
        self.said = said  # type, bases, message, lines; for an error of syntax where it is


class Stopped(Exception):
    """The child ended, or was ended after so many seconds, while doing something, in words."""

    def __init__(self, ended, doing, seconds):
        super().__init__(doing)
        self.ended, self.doing, self.seconds = ended, doing, seconds


def failed(said):
    """Make a `Failed` that is also the builtin exception which the student's code raised."""
    if said["type"] == Wrong.__name__:  # by what is ours, such as the build of a kernel
        return Wrong(said["message"])
    for name in said.get("bases", ()):
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, Exception) and kind is not Exception:
            try:
                return type("Failed", (Failed, kind), {})(said)
            except TypeError:  # such as UnicodeDecodeError, which wants to know more
                continue
    return Failed(said)
