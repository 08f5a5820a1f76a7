"""A timeline of a device's commands: the times of queuing, submission, start and end."""

from polymask import devices
from polymask.report import figures

NAMES = {"to_device": "copy to device", "kernel": "kernel", "to_host": "copy to host"}
QUEUED, SUBMITTED, RUNS = "·", "░", "█"


def name(command):
    """Return a command's name for tables and sentences."""
    return NAMES.get(command.name, command.name)


def times(commands):
    """Write the run time of the commands of each name."""
    ran = {}
    for command in commands:
        ran[name(command)] = ran.get(name(command), 0.0) + command.ran
    return ", ".join(f"{each} {figures.seconds(seconds)}" for each, seconds in ran.items())


def waited(commands):
    """Return the wait of the last command, the copy to the host, for the kernel before it."""
    if len(commands) < 2:
        return 0.0  # a device that shares the host's memory copies nothing
    *_, kernel, fetch = commands
    return max(0.0, kernel.end - fetch.queued)


def notice(commands, whole_s):
    """Return notes on the commands of a call that lasted `whole_s` by the host's clock."""
    ran = devices.busy_s(commands)
    notes = [f"{QUEUED} waits in the host's queue, {SUBMITTED} waits at the device, {RUNS} runs."]
    if waiting := waited(commands):
        notes.append(
            f"The copy to the host was queued {figures.seconds(waiting)} before the kernel had "
            "ended: the queue is in order, so the copy waits, and the host with it."
        )
    notes.append(
        f"Of the call's {figures.seconds(whole_s)} by the host's clock, commands ran "
        f"{figures.seconds(ran)} by the device's: {times(commands)}. In the rest the host "
        "program prepares the commands, passes them, and is woken at the end."
    )
    return notes


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
