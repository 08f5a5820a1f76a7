"""Python in a new process, which inherits no answers about devices."""

import os
import subprocess
import sys

from commands import ran

from ladder.devices import cuda, opencl, sycl

ANSWERS = [kind.KIND.answer_variable for kind in (opencl, sycl, cuda)]


def run(*arguments, cwd=None, **environment):
    """Run Python with these arguments and additional environment variables."""
    inherited = {name: value for name, value in os.environ.items() if name not in ANSWERS}
    options = {"stdin": subprocess.DEVNULL, "timeout": 240}
    return ran([sys.executable, *arguments], cwd=cwd, env=inherited | environment, **options)
