"""Functions for checks, which run in one process with the student's answer.

A check is an ordinary function, ``check(answer, random)``, where `answer` is the student's module.
The parent process reads the messages from `step`, and ends this process if a step takes too long.
"""

import contextlib
import copy
import importlib
import importlib.util
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ladder.workshop.sandbox.check_failed import CheckFailed

ENVIRONMENTS = "ladder.workshop.sandbox.environments"

PLAIN = np.ndarray, np.generic, list, tuple, dict  # arguments that are compared after the call

exercise = None  # the current `Exercise`
source = None  # the folder with the copy of the student's files
file = None  # the built answer
pipe = None  # file descriptor of the pipe to the parent
environments = {}  # name to `Environment`


def tell(**line):
    """Send a line of JSON to the parent."""
    data = (json.dumps(line) + "\n").encode()
    while data:
        data = data[os.write(pipe, data) :]


def step(doing):
    """Describe the next step, which the message about a crash or a time-out names."""
    if pipe is not None:  # None in tests that call a check directly
        tell(step=doing)


def observe(function, *arguments, **keywords):
    """Call a function of the answer; return its value, and facts about the call.

    The facts are a dict: ``changed`` lists the indices of changed arguments, and the name of each
    environment maps to its notes, if it has any.
    """
    before = [copy.deepcopy(v) if isinstance(v, PLAIN) else v for v in arguments]
    for environment in environments.values():
        environment.before(arguments)
    try:
        with np.errstate(all="ignore"):  # huge coordinates follow IEEE, and need no warnings
            value = function(*arguments, **keywords)
    finally:
        notes_by_name = {name: environment.after() for name, environment in environments.items()}
    pairs = enumerate(zip(before, arguments, strict=True))
    changed = [i for i, (old, new) in pairs if not alike(old, new)]
    facts = {name: notes for name, notes in notes_by_name.items() if notes is not None}
    return value, facts | {"changed": changed}


def check_arguments(facts, label):
    """Raise `CheckFailed` if the answer changed its arguments, according to `observe`."""
    if facts["changed"]:
        raise CheckFailed(f"{label}: an argument has been changed: the arrays belong to the caller")


def alike(old, new):
    """Whether an argument is unchanged, to the bit."""
    if isinstance(new, np.ndarray):
        return isinstance(old, np.ndarray) and old.tobytes() == new.tobytes()
    return not isinstance(new, PLAIN) or old == new


def install(settings_by_name):
    """Install environments by name, each with its settings."""
    for name, settings in settings_by_name.items():
        module = importlib.import_module(f"{ENVIRONMENTS}.{name}")
        environments[name] = module.install(**settings)


def switch(name, **settings):
    """Change the settings of an environment."""
    environments[name].switch(**settings)


@contextlib.contextmanager
def switched(name, **settings):
    """Change the settings of an environment within a block."""
    switch(name, **settings)
    try:
        yield
    finally:
        switch(name)


def at_once(function, calls):
    """Make several calls at the same time, each in a Python thread; return their values."""
    begin = threading.Barrier(len(calls))

    def run(arguments):
        begin.wait()
        return function(*arguments)

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def commands():
    """Return the commands that setup.py ran to build the answer, as lists of words."""
    return json.loads((source.parent / "commands.json").read_text(encoding="utf-8"))


def from_file(name, file):
    """Import a module from a file."""
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # some code looks up its own module
    spec.loader.exec_module(module)
    return module
