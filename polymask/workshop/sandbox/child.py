"""What a check may ask of the process that it shares with the student's answer.

A check is an ordinary function, ``check(answer, random)``: `answer` is the student's module. The
parent process waits outside, reads what `step` says, and ends the process where a step takes too
long.
"""

import contextlib
import copy
import importlib
import importlib.util
import json
import os
import sys
import threading

import numpy as np

from polymask.workshop.sandbox.check_failed import CheckFailed

ENVIRONMENTS = "polymask.workshop.sandbox.environments"

PLAIN = np.ndarray, np.generic, list, tuple, dict  # arguments that are looked at again

exercise = None  # the `Exercise` that is checked
source = None  # the folder of the student's files, as they were copied
file = None  # of the answer, as it was built
pipe = None  # to the parent: file descriptor
environments = {}  # name to `Environment`


def tell(**line):
    """Send a line of JSON to the parent."""
    data = (json.dumps(line) + "\n").encode()
    while data:
        data = data[os.write(pipe, data) :]


def step(doing):
    """Say what comes next, in words: a crash, or a time-out, is told by them."""
    if pipe is not None:  # None in tests that call a check directly
        tell(step=doing)


def observe(function, *arguments, **keywords):
    """Call a function of the answer; return its value, and facts: what it did besides.

    Facts are a dict: ``changed``, the numbers of arguments that are not what they were, and the
    name of each environment with what it has seen, where that is anything.
    """
    before = [copy.deepcopy(one) if isinstance(one, PLAIN) else one for one in arguments]
    for environment in environments.values():
        environment.before(arguments)
    try:
        with np.errstate(all="ignore"):  # huge coordinates follow IEEE, and need no warnings
            value = function(*arguments, **keywords)
    finally:
        seen = {name: environment.after() for name, environment in environments.items()}
    pairs = enumerate(zip(before, arguments, strict=True))
    changed = [i for i, (old, new) in pairs if not alike(old, new)]
    facts = {name: found for name, found in seen.items() if found is not None}
    return value, facts | {"changed": changed}


def check_arguments(facts, label):
    """Raise `CheckFailed` if the answer has changed what it was given, as `observe` has seen."""
    if facts["changed"]:
        raise CheckFailed(f"{label}: an argument has been changed: the arrays are the caller's")


def alike(old, new):
    """Whether an argument is what it was, to the bit."""
    if isinstance(new, np.ndarray):
        return isinstance(old, np.ndarray) and old.tobytes() == new.tobytes()
    return not isinstance(new, PLAIN) or old == new


def install(wanted):
    """Put the answer into environments: names with their settings."""
    for name, settings in wanted.items():
        module = importlib.import_module(f"{ENVIRONMENTS}.{name}")
        environments[name] = module.install(**settings)


def switch(name, **settings):
    """Change an environment."""
    environments[name].switch(**settings)


@contextlib.contextmanager
def switched(name, **settings):
    """Change an environment for a while."""
    switch(name, **settings)
    try:
        yield
    finally:
        switch(name)


def at_once(function, calls):
    """Do several calls at once, a Python thread each; return their values."""
    begin, results = threading.Barrier(len(calls)), [None] * len(calls)

    def run(i, arguments):
        begin.wait()
        try:
            results[i] = function(*arguments), None
        except Exception as error:
            results[i] = None, error

    threads = [threading.Thread(target=run, args=one) for one in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _, error in results:
        if error is not None:
            raise error
    return [value for value, _ in results]


def again():
    """Import the answer's file once more, as another module: what was changed since, counts."""
    return from_file("answer_again", file)


def commands():
    """Return the commands that setup.py ran to build the answer, lists of words."""
    return json.loads((source.parent / "commands.json").read_text(encoding="utf-8"))


def translation():
    """Return the text of the C, or C++, that Cython made of the answer."""
    kind = "cpp" if exercise.language == "c++" else "c"
    made = next((source.parent / "cython").rglob(f"{exercise.module}.{kind}"))
    return made.read_text(encoding="utf-8")


def from_file(name, file):
    """Import a module from a file."""
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # some code asks for its own module
    spec.loader.exec_module(module)
    return module
