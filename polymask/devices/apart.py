"""A process of its own to try a device in: a driver that crashes or hangs takes nothing with it.

A kind of device that is tried has a module for that process, which `speaker` lets answer in lines
of JSON: "imported", once that has gone well; "found", a dict for each device in their order, or
"nothing", why there is none; then "failure", why the one that was tried cannot be used, an empty
text if it can.
"""

import contextlib
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import asdict

from polymask import contract
from polymask.common.staleness import ROOT
from polymask.devices import Device, Tried

OTHER_CHOICE = "unset it and see `polymask doctor`, which lists the devices and what chooses each"


def speaker():
    """Return a function that prints a line of JSON, in the process of a trial."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what drivers print is no line of ours

    def say(**told):
        print(json.dumps(told), file=out, flush=True)

    say(imported=True)
    return say


def said_by(module, number, seconds):
    """Let a process list all devices and try the one of this number.

    Returns what it said, a dict, and how it ended, which is why the device fails if it said
    nothing of that.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", module, str(number)],
            cwd=ROOT,  # where this package is, and no file of the user's that is named like another
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
        output, failure = done.stdout, how_it_ended(done)
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
        failure = f"the driver gave no answer within {seconds:g} s"
    said = {}
    for line in output.splitlines():
        said |= json.loads(line)
    return said, failure


def refuse_broken(said, failure, package, what_to_do):
    """Raise `Unavailable` where the process did not come to its work: an import failed."""
    ended = re.fullmatch(r"the driver ended the process with code \d+ \((.*)\)", failure)
    if "imported" not in said and ended:
        reason = f"the package {package} is installed, but cannot be imported ({ended[1]})"
        raise contract.Unavailable(reason, what_to_do)


def how_it_ended(done):
    """Say how a process ended that was to try a device; the driver's last words with it."""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    last = f" ({said[-1].strip()})" if said else ""
    if done.returncode < 0:
        name = signal.strsignal(-done.returncode) or f"signal {-done.returncode}"
        return f"the driver crashed: {name}{last}"
    return f"the driver ended the process with code {done.returncode}{last}"


def survey(run_trial, every=True):
    """Try devices in their order; return a `Tried` of each.

    Without `every` it ends with the first that works. `run_trial` takes a device's number, and
    returns a dict for each device, and why that one fails.
    """
    tried = []
    while True:
        found, failure = run_trial(len(tried))
        if len(tried) < len(found):  # else a device has gone meanwhile
            one = found[len(tried)]
            tried.append(Tried(Device(**one["device"]), one["choice"], failure))
        if len(tried) >= len(found) or not (failure or every):
            return tried


def first_that_works(tried, kind, choice, remedy):
    """Return the first of those tried that works; else raise why none does, and what to do.

    `choice` is what the user wrote to choose one, or an empty text. Where it is empty, the function
    `remedy` says what to do.
    """
    for one in tried:
        if not one.failure:
            return one
    reason = f"{tried[0].device.name}: {tried[0].failure}"
    if choice:
        raise contract.Unavailable(f"{choice} chooses a device that fails: {reason}", OTHER_CHOICE)
    if len(tried) > 1:
        reason += f"; and {len(tried) - 1} more, which `polymask doctor` lists"
    raise contract.Unavailable(f"no {kind} device works: {reason}", remedy())


def nothing(reason, choice, remedy):
    """Return the error that there is no device to try; see `first_that_works`."""
    if choice:
        return contract.BadSetting(reason, OTHER_CHOICE)
    return contract.Unavailable(reason, remedy())


def remembered(variable, asked, find):
    """Return which device works, or why none does: a dict, for this process and its children.

    They know it by an environment variable, and believe it where drivers are told what `asked`
    says. `find` returns the `Tried` of the device, or raises `Unavailable`.
    """
    with contextlib.suppress(ValueError, AttributeError):  # one that is not ours says nothing
        found = json.loads(os.environ.get(variable, "{}"))
        if found.get("asked") == asked:
            return found
    try:
        taken = find()
        found = {"choice": taken.choice, "device": asdict(taken.device)}
    except contract.Unavailable as unavailable:
        setting = isinstance(unavailable, contract.BadSetting)
        found = {"reason": unavailable.reason, "what_to_do": unavailable.what_to_do}
        found |= {"setting": setting}
    os.environ[variable] = json.dumps(found | {"asked": asked})
    return found


def refuse_none(found):
    """Raise why no device works, if that is what `remembered` gave."""
    if "reason" in found:
        error = contract.BadSetting if found.get("setting") else contract.Unavailable
        raise error(found["reason"], found["what_to_do"])


def told(prefixes):
    """Return a digest of all that drivers are told by variables, and of where packages lie."""
    read = {name: value for name, value in os.environ.items() if name.startswith(prefixes)}
    read.pop("PYOPENCL_HOME", None)  # PyOpenCL sets it itself
    return hashlib.sha256(json.dumps([sys.prefix, read], sort_keys=True).encode()).hexdigest()
