"""Commands in child processes."""

import os
import subprocess


def ran(command, environment=None, check=False, **options):
    """Run a command with additional environment variables; return the completed process."""
    return subprocess.run(
        [*map(str, command)],
        **{"env": os.environ | (environment or {}), "capture_output": True, "text": True} | options,
        check=check,
    )
