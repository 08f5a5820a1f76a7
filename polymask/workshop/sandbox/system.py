"""What the workshop needs of POSIX: locks of files, and limits for a student's process."""

from polymask.contract import Unavailable

try:
    import fcntl
    import resource
except ImportError:  # Windows
    fcntl = resource = None


def require():
    """Raise `Unavailable` on a system that is not POSIX."""
    if resource is None:
        raise Unavailable(
            "the workshop's checks limit what a student's process may take, as Windows cannot",
            "needs Linux, macOS or WSL",
        )
