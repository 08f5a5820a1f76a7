"""A timeline of device commands: when each was queued, submitted, started and ended."""

from ladder import devices
from polymask.common import figures

NAMES = {"to_device": "copy to device", "kernel": "kernel", "to_host": "copy to host"}
QUEUED, SUBMITTED, RUNS = "·", "░", "█"


def name(command):
    """Return the name of a command for tables and sentences."""
    return NAMES.get(command.name, command.name)


def times(commands):
    """Write the total run time of the commands of each name."""
    totals = {}
    for command in commands:
        totals[name(command)] = totals.get(name(command), 0.0) + command.ran
    return ", ".join(f"{key} {figures.seconds(seconds)}" for key, seconds in totals.items())


def waited(commands):
    """Return how long the last command, the copy to the host, waits for the kernel before it."""
    if len(commands) < 2:
        return 0.0  # nothing is copied if the device shares the host's memory
    *_, kernel, fetch = commands
    return max(0.0, kernel.end - fetch.queued)


def notice(commands, whole_s):
    """Return notes on the commands of a call that lasted `whole_s` by the host's clock."""
    busy_s = devices.busy_s(commands)
    notes = [f"{QUEUED} waits in the host's queue, {SUBMITTED} waits on the device, {RUNS} runs."]
    if waiting := waited(commands):
        notes.append(
            f"The copy to the host was queued {figures.seconds(waiting)} before the end of the "
            "kernel. The queue is in order, so the copy waits, and the host waits for the copy."
        )
    notes.append(
        f"The call took {figures.seconds(whole_s)} by the host's clock. Its commands ran for "
        f"{figures.seconds(busy_s)} by the device's clock: {times(commands)}. In the remaining "
        "time, the host program prepares and submits commands, and is woken at the end."
    )
    return notes


def bar(command, whole, width):
    """Draw a command's wait in the queue, its wait on the device, and its run as characters."""
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
