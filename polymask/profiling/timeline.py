"""A timeline of OpenCL commands: when each was queued, submitted, started and ended."""

from dataclasses import dataclass

NAMES = {"to_device": "copy to device", "kernel": "kernel", "to_host": "copy to host"}
QUEUED, SUBMITTED, RUNS = "·", "░", "█"


@dataclass(frozen=True)
class Command:
    """A command of a queue, and its four times: seconds since the first was queued."""

    name: str
    queued: float
    submit: float
    start: float
    end: float


def commands(events):
    """Read the commands' times of their events, by the device's clock."""
    first = min(event.profile.queued for event in events.values())
    return [
        Command(
            NAMES.get(name, name),
            *(
                1e-9 * (getattr(event.profile, time) - first)
                for time in ("queued", "submit", "start", "end")
            ),
        )
        for name, event in events.items()
    ]


def bar(command, whole, width):
    """Draw a command: waits in the queue, then at the device, then runs; one character at least."""
    begin, submit, start, end = (
        round(width * time / whole)
        for time in (command.queued, command.submit, command.start, command.end)
    )
    start = min(start, width - 1)
    begin, submit = min(begin, start), min(submit, start)
    return (
        " " * begin
        + QUEUED * (submit - begin)
        + SUBMITTED * (start - submit)
        + RUNS * max(end - start, 1)
    )
