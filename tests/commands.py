"""Commands in processes of their own."""

import os
import subprocess


def ran(command, environment=None, check=False, **options):
    """Run a command to its end, with variables besides ours; return it with what it said."""
    return subprocess.run(
        [*map(str, command)],
        **{"env": os.environ | (environment or {}), "capture_output": True, "text": True} | options,
        check=check,
    )
