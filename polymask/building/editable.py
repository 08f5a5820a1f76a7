"""An editable install that works in the folder beside the clone, too."""

from pathlib import Path

from setuptools.command.editable_wheel import editable_wheel


class EditableWheel(editable_wheel):
    """The usual one, and a line that puts the clone at the end of Python's path.

    A script in the parent folder of a clone has that folder first on its path, and there the clone
    itself, which is called polymask, passes for a namespace package. A package with an
    ``__init__.py`` beats it wherever it is on the path; but the finder that setuptools installs is
    asked only after the path. (It still finds the folders that begin with a digit.)
    """

    def _run_build_commands(self, dist_name, unpacked_wheel, *folders):
        """Write the line beside what setuptools installs; it has no public place for this."""
        done = super()._run_build_commands(dist_name, unpacked_wheel, *folders)
        # without an encoding, as Python reads it
        Path(unpacked_wheel, f"{dist_name}_clone.pth").write_text(f"{Path.cwd()}\n")
        return done
