"""An editable install that also works in the parent folder of the clone."""

from pathlib import Path

from setuptools.command.editable_wheel import editable_wheel


class EditableWheel(editable_wheel):
    """The usual editable wheel, with a line that appends the clone to Python's path.

    A script in the parent folder of a clone has that folder first on its path, where the clone, a
    folder named polymask, looks like a namespace package. A package with an ``__init__.py``
    anywhere on the path takes precedence, but the finder that setuptools installs runs only after
    the path. (It is still needed for the folders that begin with a digit.)
    """

    def _run_build_commands(self, dist_name, unpacked_wheel, *folders):
        """Write the line beside the files of setuptools, which has no public hook for this."""
        result = super()._run_build_commands(dist_name, unpacked_wheel, *folders)
        # in the default encoding, with which Python reads the file
        Path(unpacked_wheel, f"{dist_name}_clone.pth").write_text(f"{Path.cwd()}\n")
        return result
