"""The devices of a kind: listed, tried in a process apart, and remembered.

A driver may list a device that it cannot compile for, crash, or hang. So a process of its own lists
and tries them (`polymask.devices.trial_process`), once a run: child processes inherit the answer.
"""

import contextlib
import functools
import hashlib
import importlib.util
import json
import os
import re
import sys
from dataclasses import asdict

from polymask.common.run_once import once
from polymask.contract import BadSetting, Unavailable
from polymask.devices import INSTEAD, Device, Tried, trial_process

OTHER_CHOICE = "unset it and see `polymask doctor`, which lists the devices and what chooses each"
BROKEN_IMPORT = re.compile(r"the driver ended the process with code \d+ \((.*)\)")


class Search:
    """The search for a device of one kind: a kind's module has a subclass, and one object of it.

    What a subclass adds to these attributes:

    ``remedy(failure="")``
        What brings a device that works to this machine; of one, why it fails.
    ``describe(device)``
        The `Device` of one as the package has it.
    ``gives_up(error)``
        Whether an error says that the device is out of memory, or gone.
    """

    kind = ""  # as people write it
    package = ""  # the module that lists devices
    trial = ""  # the module that is run in a process apart
    answer_variable = ""  # the environment variable by which child processes know the answer
    chooser = ""  # the one by which a user chooses a device
    read_by_drivers = ()  # the beginnings of those that may change the answer
    install_hint = ""  # how the package is installed
    unlisted_hint = ""  # where a driver ends the process that lists its devices; else the remedy
    device_format = ""  # what is told of a `device` and of the `choice` that gives it
    trial_s = 120.0  # a driver that has no answer then hangs; an emulated one takes half of it

    def __init__(self):
        self.answer, self.device = once(self._answer), once(self._device)
        self.listed = once(self._listed)

    def prepare(self):
        """Raise `Unavailable` where no process need be started."""

    def _listed(self):
        """Return all devices as the package has them, each by what chooses it."""
        return {}

    def check(self):
        """Raise `Unavailable` if no device works."""
        self.device()

    def check_apart(self):
        """Raise `Unavailable` as `check` does, and import nothing of what drives a device."""
        found = self.answer()
        if "reason" in found:
            error = BadSetting if found.get("setting") else Unavailable
            raise error(found["reason"], found["what_to_do"])

    def _device(self):
        """Return the first device that works, as the package has it.

        If none works, `Unavailable` has the reason of the first.
        """
        self.check_apart()
        found, here = self.answer(), self.listed()
        wanted = Device(**found["device"])
        same = [choice for choice, one in here.items() if self.describe(one) == wanted]
        if not same:
            raise Unavailable(
                f"{wanted.name} works, but {self.package} does not list it in this process",
                f"ask {self.package} for devices after the first mask: it reads its drivers once",
            )
        return here[found["choice"] if found["choice"] in same else same[0]]

    def chosen(self):
        """Return the `Device` that this process has taken, or None where it has taken none."""
        return self.describe(self.device()) if self.device.cache_info().currsize else None

    def cores(self):
        """Return how many cores the device has if it is a CPU, else 1: the host waits."""
        taken = self.describe(self.device())
        return taken.compute_units if taken.is_cpu else 1

    def or_unavailable(self, function):
        """Decorate what uses the device: `Unavailable` where that is out of memory, or gone.

        The function keeps nothing of a call that fails, so that the next one may do better. Some
        libraries hide the first error behind another.
        """

        @functools.wraps(function)
        def explained(*arguments, **options):
            handled = sys.exc_info()[1]  # by a caller that tries again, say, in another way
            try:
                return function(*arguments, **options)
            except Exception as error:
                if not any(map(self.gives_up, _causes(error, handled))):
                    raise
                name = self.chosen().name if self.chosen() else "the device"
                reason = " ".join(str(error).split()).rstrip(".")
                raise Unavailable(f"{name} gives up: {reason}", INSTEAD) from error

        return explained

    def choice(self):
        """Return what the user has written to choose a device, or an empty text."""
        return os.environ.get(self.chooser, "")

    def _answer(self):
        """Return which device works, or why none does: a dict, for this process and its children.

        They know it by an environment variable, and believe it where drivers read the same.
        """
        read = self.digest()
        with contextlib.suppress(ValueError, AttributeError):  # one that is not ours says nothing
            found = json.loads(os.environ.get(self.answer_variable, "{}"))
            if found.get("asked") == read:
                return found
        try:
            taken = self.works(self.survey(every=False))
            found = {"choice": taken.choice, "device": asdict(taken.device)}
        except Unavailable as unavailable:
            found = {"reason": unavailable.reason, "what_to_do": unavailable.what_to_do}
            found["setting"] = isinstance(unavailable, BadSetting)
        os.environ[self.answer_variable] = json.dumps(found | {"asked": read})
        return found

    def digest(self):
        """Return a digest of all that drivers read in variables, and of where packages lie."""
        read = {k: value for k, value in os.environ.items() if k.startswith(self.read_by_drivers)}
        read.pop("PYOPENCL_HOME", None)  # PyOpenCL sets it itself
        return hashlib.sha256(json.dumps([sys.prefix, read], sort_keys=True).encode()).hexdigest()

    def survey(self, every=True):
        """Try devices in the order in which they would be taken; return a `Tried` of each.

        Without `every` it ends with the first that works. Nothing to try is `Unavailable`.
        """
        spec = importlib.util.find_spec(self.package)
        if spec is None or spec.origin is None:  # pip may leave an empty folder of it
            raise Unavailable(f"the package {self._package} is not installed", self.install_hint)
        self.prepare()
        tried = []
        while True:
            found, failure = self.run_trial(len(tried))
            if len(tried) < len(found):  # else a device has gone meanwhile
                one = found[len(tried)]
                tried.append(Tried(Device(**one["device"]), one["choice"], failure))
            if len(tried) >= len(found) or not (failure or every):
                return tried

    def run_trial(self, number):
        """Let a process list all devices, and try the one of this number.

        Returns a dict for each device, and why that one cannot be used: an empty text if it can.
        No device, or none that can be listed, is `Unavailable`.
        """
        told, failure = trial_process.run(self.trial, number, self.trial_s)
        ended = BROKEN_IMPORT.fullmatch(failure)
        if "imported" not in told and ended:
            reason = f"the package {self._package} is installed, but cannot be imported"
            raise Unavailable(f"{reason} ({ended[1]})", self.install_hint)
        if "nothing" in told:
            raise self.none_listed(told["nothing"])
        if "found" not in told:
            reason = f"{self.kind}'s devices cannot be listed: {failure}"
            raise Unavailable(reason, self.unlisted_hint or self.remedy())
        return told["found"], told.get("failure", failure)

    @property
    def _package(self):
        """The package as the index calls it."""
        return self.package.replace("_", "-")

    def none_listed(self, reason):
        """Return the error that there is no device to try."""
        if self.choice():
            return BadSetting(reason, OTHER_CHOICE)
        return Unavailable(reason, self.remedy())

    def works(self, tried):
        """Return the first of those tried that works; else raise why none does, and what to do."""
        for one in tried:
            if not one.failure:
                return one
        reason = f"{tried[0].device.name}: {tried[0].failure}"
        if self.choice():
            chosen = f"{self.chooser}={self.choice()} chooses a device that fails"
            raise Unavailable(f"{chosen}: {reason}", OTHER_CHOICE)
        if len(tried) > 1:
            reason += f"; and {len(tried) - 1} more, which `polymask doctor` lists"
        raise Unavailable(f"no {self.kind} device works: {reason}", self.remedy(tried[0].failure))

    def line(self, tried):
        """Say what came of trying a device, in one line."""
        told = self.device_format.format(device=tried.device, choice=tried.choice)
        works = f"fails: {tried.failure}" if tried.failure else "works"
        return f"{tried.device.name} ({told}) {works}"


def _causes(error, before):
    """Go through an error and what led to it, up to one that was there before."""
    while error is not None and error is not before:
        yield error
        error = error.__cause__ or error.__context__
