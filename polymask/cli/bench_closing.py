"""The last lines of `polymask bench`: what came out, what surprises, and what to do next."""

import os
import shlex
import shutil
import sys
from pathlib import Path

from polymask.bench.many_result import Many
from polymask.bench.result import Sweep
from polymask.cli.terminal import folded
from polymask.report import headline


def lines(result, file, page=None):
    """Return the lines for a result or a sweep, the file of its JSON, and its page if any."""
    outcome, commands = [headline.headline(result)], []
    name = shlex.quote(str(file))
    if isinstance(result, Many):
        return [folded(text) for text in outcome if text]
    if not isinstance(result, Sweep):
        outcome += headline.surprises(result)
        if key := headline.to_explain(result):
            commands.append((f"What limits {key}", f"explain {key} --result {name}"))
    if page:
        outcome.append(f"Open {page} in a browser: it has all of this, and the race.")
    else:
        commands.append(("All of it as a page", f"report {name} --html page.html"))
    found = [folded(text) for text in outcome if text]
    for purpose, command in commands:
        found += [f"{purpose}:", f"    {program()} {command}"]
    return found


def program():
    """Return how the shell that began this calls the command line.

    `make` runs the program of an environment that the shell has not activated.
    """
    here = Path(sys.executable).with_name("polymask")
    found = shutil.which("polymask")
    if found and Path(found).resolve() == here.resolve():
        return "polymask"
    if here.exists():
        return shlex.quote(min(str(here), os.path.relpath(here), key=len))
    return f"{shlex.quote(sys.executable)} -m polymask"
