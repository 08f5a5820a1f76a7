"""One kernel that several platforms compile: how far apart they are in a result, and why."""

from collections import defaultdict

from polymask.cost import limits
from polymask.ladder import registry
from polymask.report import figures

NOT_MORE = 1.2  # times as fast: what is less is no difference between compilers


def notes(result):
    """Say of each kernel which platforms ran it fastest and slowest; nothing of one on its own."""
    return [
        text for kernel, rows in measured(result).items() if (text := note(kernel, rows, result))
    ]


def measured(result):
    """Return kernel to platform to its fastest row, by the device's clock."""
    found = defaultdict(dict)
    for row in sorted(result.timed.values(), key=lambda row: -(row.kernel_s or 0)):
        rung = registry.BY_KEY.get(row.key)
        device = result.machine.devices.get(rung.device) if rung and rung.kernel else None
        if device and row.kernel_s:
            found[rung.kernel][device.platform] = row
    return found


def note(kernel, rows, result):
    """Say how far apart a kernel's fastest and slowest platform are, and why where that shows."""
    order = sorted(rows.items(), key=lambda item: item[1].kernel_s)
    (fast_on, fast), (slow_on, slow) = order[0], order[-1]
    times = slow.kernel_s / fast.kernel_s
    if times < NOT_MORE:
        return ""
    return (
        f"csrc/{kernel} takes {figures.seconds(fast.kernel_s)} on {fast_on} ({fast.key}) and "
        f"{figures.seconds(slow.kernel_s)} on {slow_on} ({slow.key}), by the devices' clocks: "
        f"{figures.digits(times, 2)} times as long for the same source. "
        + reason(fast_on, fast, slow_on, slow, result)
    )


def reason(fast_on, fast, slow_on, slow, result):
    """Say what the prices of the run give away of the two compilers."""
    alone = limits.one_at_a_time_s(result, fast.key)
    if alone is None or not fast.kernel_s < alone <= slow.kernel_s:
        return "What differs is what their compilers and runtimes make of it."
    return (
        f"With a number at a time its arithmetic takes {figures.seconds(alone)} at least here, so "
        f"the compiler of {fast_on} has put pixels side by side into vector registers; the time "
        f"on {slow_on} shows no sign of that."
    )
