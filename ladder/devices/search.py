"""The search for devices of a kind, which are listed and tried in another process.

A driver may list a device for which it cannot compile, and it may crash or hang. So the search
starts another process (`ladder.devices.trial_process`), once: child processes inherit the answer.
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

from ladder.devices import INSTEAD, Device, Kind, Trial, trial_process
from polymask.common.run_once import once
from polymask.contract import BadSetting, Unavailable

OTHER_CHOICE = "unset it, and run `polymask doctor`, which lists the devices and their settings"
BROKEN_IMPORT = re.compile(r"the driver ended the process with code \d+ \((.*)\)")


class Search(Kind):
    """A kind whose devices are searched for; its module has a subclass, and one object of it.

    A subclass sets the attributes below, and adds:

    ``remedy(failure="")``
        A way to get a working device on this machine, given the failure of a device.
    ``describe(device)``
        The `Device` for one of the package's objects.
    ``gives_up(error)``
        Whether an error means that the device is out of memory, or gone.
    ``commands(events)``, ``launch()``
        See `Kind`.
    """

    kind = ""  # its usual name
    package = ""  # the module that lists devices
    trial = ""  # the module that runs in another process
    answer_variable = ""  # the environment variable with the answer for child processes
    chooser = ""  # the environment variable that chooses a device
    read_by_drivers = ()  # prefixes of variables that may change the answer
    install_hint = ""  # the command that installs the package
    unlisted_hint = ""  # if a driver ends the process while it lists devices; default: the remedy
    device_format = ""  # the description of a `device` and its `choice`
    trial_s = 120.0  # the time-out for a driver; an emulated driver takes half of it

    def __init__(self):
        self.answer, self.device = once(self._answer), once(self._device)
        self.listed = once(self._listed)

    def prepare(self):
        """Raise `Unavailable` if a trial is useless."""

    def _listed(self):
        """Map the choice of each device to the device, an object of the package."""
        return {}

    def check(self):
        self.device()

    def check_apart(self):
        answer = self.answer()
        if "reason" in answer:
            error = BadSetting if answer.get("setting") else Unavailable
            raise error(answer["reason"], answer["what_to_do"])

    def _device(self):
        """Return the first working device, as an object of the package.

        If no device works, `Unavailable` has the reason for the first.
        """
        self.check_apart()
        answer, devices = self.answer(), self.listed()
        working = Device(**answer["device"])
        choices = [choice for choice, device in devices.items() if self.describe(device) == working]
        if not choices:
            raise Unavailable(
                f"{working.name} works, but {self.package} does not list it in this process",
                f"use {self.package} after the first mask only: it reads the list of drivers once",
            )
        return devices[answer["choice"] if answer["choice"] in choices else choices[0]]

    def chosen(self):
        return self.describe(self.device()) if self.device.cache_info().currsize else None

    def cores(self):
        return self.describe(self.device()).cores

    def or_unavailable(self, function):
        """Decorate a function: raise `Unavailable` if the device is out of memory, or gone.

        The function must keep nothing from a failed call, so that the next call can succeed. Some
        libraries hide the first error behind another one.
        """

        @functools.wraps(function)
        def explained(*arguments, **options):
            handled = sys.exc_info()[1]  # the error that a caller handles by another attempt
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
        """Return the user's choice of a device, or an empty text."""
        return os.environ.get(self.chooser, "")

    def _answer(self):
        """Return a dict of the working device, or of the reason why no device works.

        Child processes read it from an environment variable. They use it if the variables that
        their drivers read have the same values.
        """
        digest = self.digest()
        with contextlib.suppress(ValueError, AttributeError):  # ignore an invalid value
            answer = json.loads(os.environ.get(self.answer_variable, "{}"))
            if answer.get("digest") == digest:
                return answer
        try:
            trial = self.works(self.survey(try_all=False))
            answer = {"choice": trial.choice, "device": asdict(trial.device)}
        except Unavailable as unavailable:
            answer = {"reason": unavailable.reason, "what_to_do": unavailable.what_to_do}
            answer["setting"] = isinstance(unavailable, BadSetting)
        os.environ[self.answer_variable] = json.dumps(answer | {"digest": digest})
        return answer

    def digest(self):
        """Return a digest of the variables that drivers read, and of the packages' folder."""
        values = {k: value for k, value in os.environ.items() if k.startswith(self.read_by_drivers)}
        values.pop("PYOPENCL_HOME", None)  # PyOpenCL itself sets it
        return hashlib.sha256(json.dumps([sys.prefix, values], sort_keys=True).encode()).hexdigest()

    def survey(self, try_all=True):
        """Try the devices in their order; return a `Trial` of each.

        Without `try_all`, the first device that works is the last one. If there is no device, this
        raises `Unavailable`.
        """
        spec = importlib.util.find_spec(self.package)
        if spec is None or spec.origin is None:  # pip may leave an empty folder behind
            raise Unavailable(f"the package {self._package} is not installed", self.install_hint)
        self.prepare()
        trials = []
        while True:
            entries, failure = self.run_trial(len(trials))
            if len(trials) < len(entries):  # otherwise a device has disappeared meanwhile
                entry = entries[len(trials)]
                trials.append(Trial(Device(**entry["device"]), entry["choice"], failure))
            if len(trials) >= len(entries) or not (failure or try_all):
                return trials

    def run_trial(self, number):
        """List all devices in another process, and try the device with this number.

        Returns a dict for each device, and the reason why the tried one cannot be used, or an empty
        text. Raises `Unavailable` if there is no device, or if the devices cannot be listed.
        """
        answer, failure = trial_process.run(self.trial, number, self.trial_s)
        import_error = BROKEN_IMPORT.fullmatch(failure)
        if "imported" not in answer and import_error:
            reason = f"the package {self._package} is installed, but cannot be imported"
            raise Unavailable(f"{reason} ({import_error[1]})", self.install_hint)
        if "nothing" in answer:
            raise self.none_listed(answer["nothing"])
        if "found" not in answer:
            reason = f"{self.kind}'s devices cannot be listed: {failure}"
            raise Unavailable(reason, self.unlisted_hint or self.remedy())
        return answer["found"], answer.get("failure", failure)

    @property
    def _package(self):
        """The package's name in the index."""
        return self.package.replace("_", "-")

    def none_listed(self, reason):
        """Return the error about a missing device."""
        if self.choice():
            return BadSetting(reason, OTHER_CHOICE)
        return Unavailable(reason, self.remedy())

    def works(self, trials):
        """Return the first trial that worked; if none did, raise the reason and a remedy."""
        for trial in trials:
            if not trial.failure:
                return trial
        reason = f"{trials[0].device.name}: {trials[0].failure}"
        if self.choice():
            chosen = f"{self.chooser}={self.choice()} chooses a device that fails"
            raise Unavailable(f"{chosen}: {reason}", OTHER_CHOICE)
        if len(trials) > 1:
            reason += f"; and {len(trials) - 1} more, which `polymask doctor` lists"
        raise Unavailable(f"no {self.kind} device works: {reason}", self.remedy(trials[0].failure))

    def line(self, trial):
        """Describe a trial in one line."""
        details = self.device_format.format(device=trial.device, choice=trial.choice)
        works = f"fails: {trial.failure}" if trial.failure else "works"
        return f"{trial.device.name} ({details}) {works}"


def _causes(error, handled):
    """Yield an error and its causes, up to the error that a caller handles."""
    while error is not None and error is not handled:
        yield error
        error = error.__cause__ or error.__context__
